import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { promisify } from 'node:util';

const run = promisify(execFile);

const isThere = () => existsSync('/usr/bin/sipp') && existsSync('/usr/bin/baresip');

/** Makes sure that the peers of the telephone tests are installed, SIPp and baresip of Debian. Gives the reason when not. */
export async function ensurePhones(say: (line: string) => void): Promise<string | undefined> {
  if (isThere()) return undefined;
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get'))
    return 'install them, as in `apt-get install sip-tester baresip-core`';
  say('Installing SIPp and baresip for the telephone tests …');
  const quiet = { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }, maxBuffer: 1 << 26 };
  await run('apt-get', ['update', '-q'], quiet).catch(() => undefined);
  await run(
    'apt-get',
    ['install', '-y', '-q', '--no-install-recommends', 'sip-tester', 'baresip-core'],
    quiet,
  ).catch(() => undefined);
  return isThere() ? undefined : 'Debian’s packages sip-tester and baresip-core could not be installed';
}
