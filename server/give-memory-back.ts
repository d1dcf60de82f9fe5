/**
 * Starts this process anew, under the same number, with settings that can only be given before a start and let it take less
 * memory (docs/decisions/0359). Whoever has set `MALLOC_TRIM_THRESHOLD_` gets what they set, and nothing else; other systems
 * than Linux have no such setting.
 */
const TRIM = 'MALLOC_TRIM_THRESHOLD_';

/**
 * Memory that is free at the end of an area goes back to the system from 128 kB on. Left to itself, glibc raises that limit
 * up to 64 MB as larger pieces come and go, and keeps 170 MB that nobody uses. Processes of conversations inherit it.
 */
const environment = { ...process.env, [TRIM]: String(128 * 1024) };

/**
 * V8 collects when its heap has grown by half since the last time. Where there is much memory it waits for four times as
 * much. With the embedded database only: a service on a server of its own has been given a machine for its speed.
 */
const flags = process.env.DATABASE_URL ? [] : ['--heap-growing-percent=50'];

if (process.platform === 'linux' && process.env[TRIM] === undefined) {
  const args = [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, args, environment);
}

export {};
