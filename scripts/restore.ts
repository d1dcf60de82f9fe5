import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readSealSettings } from '#lib/installation/backup-seal.ts';
import { goBack, readCommandEnv, restore, runCommand, say } from './installation.ts';

/*
 * `npm run restore -- --newest-copy` goes back to the newest of the copies that the service takes of its embedded database.
 * `npm run restore -- /backups/today` puts a backup into the empty installation that the environment names. `--replace`
 * lets one that is there give way; `--keep-waiting` places calls and sends webhooks that waited when it was taken.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'newest-copy': { type: 'boolean', default: false },
      replace: { type: 'boolean', default: false },
      'keep-waiting': { type: 'boolean', default: false },
    },
  });
  const keepWaiting = values['keep-waiting'];
  if (values['newest-copy']) {
    const copy = await goBack(readCommandEnv(), { keepWaiting });
    return say(`The database is again as it was at ${copy.takenAt.toISOString()}. Start the service.`);
  }
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    throw new Error('Say what: npm run restore -- /backups/2026-11-22 (or --newest-copy)');
  const options = { replace: values.replace, keepWaiting };
  const settings = readSealSettings(process.env);
  const manifest = await restore(readCommandEnv(), resolve(folder), options, settings);
  say(`Restored the backup of ${manifest.createdAt}.`);
});
