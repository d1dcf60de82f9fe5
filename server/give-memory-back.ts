/**
 * Starts this process anew, under the same number, with a setting of glibc that can only be given before a start: memory that
 * is free at the end of an area goes back to the system from 128 kB on. Left to itself, glibc raises that limit to 64 MB as
 * larger pieces come and go, and keeps 170 MB that nobody uses (docs/decisions/0359). The processes of conversations inherit
 * it. Whoever has set it gets their own; other systems have no such setting.
 */
const NAME = 'MALLOC_TRIM_THRESHOLD_';

if (process.platform === 'linux' && process.env[NAME] === undefined) {
  const args = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, { ...process.env, [NAME]: String(128 * 1024) });
}

export {};
