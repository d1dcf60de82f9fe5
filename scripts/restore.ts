import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readCommandEnv, restore, runCommand, say } from './installation.ts';

/*
 * `npm run restore -- /backups/today` puts a backup into the empty installation that the environment names. `--replace`
 * lets one that is there give way; `--keep-waiting` places calls and sends webhooks that waited when it was taken.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      replace: { type: 'boolean', default: false },
      'keep-waiting': { type: 'boolean', default: false },
    },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    throw new Error('Say what: npm run restore -- /backups/2026-11-22');
  const manifest = await restore(readCommandEnv(), resolve(folder), {
    replace: values.replace,
    keepWaiting: values['keep-waiting'],
  });
  say(`Restored the backup of ${manifest.createdAt}.`);
});
