import { parseArgs } from 'node:util';
import { move, readCommandEnv, runCommand, say } from './installation.ts';

/*
 * `DATABASE_URL=… STORAGE_URL=… npm run migrate:embedded-to-postgres` moves what is in DATA_DIR to that server and storage.
 * `--from-storage file:/folder` says where documents and recordings are now, where that is not DATA_DIR/storage.
 */
await runCommand(async () => {
  const { values } = parseArgs({
    options: { restart: { type: 'boolean', default: false }, 'from-storage': { type: 'string' } },
  });
  const moved = await move(readCommandEnv(), {
    restart: values.restart,
    fromStorage: values['from-storage'],
  });
  for (const key of moved.missing) say(`! ${key} is named by the database and was stored nowhere`);
  say(
    `Moved and compared: ${moved.rows} rows in ${moved.tables} tables, ${moved.objects} recordings and documents. Start the service with this DATABASE_URL now.`,
  );
});
