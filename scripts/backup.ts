import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkBackup } from '#lib/installation/backup-files.ts';
import { openSeal, readSealSettings } from '#lib/installation/backup-seal.ts';
import { backUp, readCommandEnv, runCommand, say } from './installation.ts';

/*
 * `npm run backup -- /backups/today` writes the database, recordings and documents of the installation that the
 * environment names into a new folder, while the service runs. `--check` compares one with its checksums.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { check: { type: 'boolean', default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined || positionals.length > 1)
    throw new Error('Say where to: npm run backup -- /backups/2026-11-22 (or --check and a backup)');
  const path = resolve(folder);
  const settings = readSealSettings(process.env);
  const isSealed = settings.passphrase !== undefined || settings.recipient !== undefined;
  const manifest = values.check
    ? await checkBackup(path, await openSeal(path, settings))
    : await backUp(readCommandEnv(), path, settings);
  for (const key of manifest.missing) say(`! ${key} is named by the database and stored nowhere`);
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
  if (!values.check && !isSealed)
    say(
      'It holds conversations, recordings, hashes of passwords and keys, and secrets of webhooks and of this installation in the clear: keep it as safe as the service, or set BACKUP_PASSPHRASE or BACKUP_RECIPIENT. Sign-ins are left out.',
    );
  say(
    `${values.check ? 'The backup is whole' : `Backed up to ${path}`}: ${rows} rows, ${manifest.objects.count} recordings and documents (${(manifest.objects.totalBytes / 1024 / 1024).toFixed(1)} MB).`,
  );
});
