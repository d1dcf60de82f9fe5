import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CACHE, ROOT } from './execute.ts';
import { untilReady } from './until-ready.ts';

/** What the services logged, warnings and errors. */
const LOG = join(CACHE, 'browser-services.log');
const LINES_SHOWN = 40;

/**
 * Starts the services of the browser tests as playwright.config.ts lists them, and waits until each is ready. With
 * `E2E_REUSE=1`, Playwright then takes these. One that does not get ready is stopped: Playwright starts it, and says why.
 */
export async function startServices(env: NodeJS.ProcessEnv): Promise<{ stop(): Promise<void> }> {
  const { default: tests } = await import('../playwright.config.ts');
  await mkdir(CACHE, { recursive: true });
  const log = await open(LOG, 'w');
  const running = [tests.webServer ?? []].flat().map(({ command, url, timeout = 0, env: own }) => {
    const [program = 'node', ...args] = command.split(' ');
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...env, ...own },
      stdio: ['ignore', log.fd, log.fd],
    });
    const port = Number(new URL(url ?? '').port);
    return { child, ready: untilReady(child, port, AbortSignal.timeout(timeout)) };
  });
  await log.close();
  await Promise.all(running.map(({ child, ready }) => ready.catch(() => stop(child))));
  return { stop: async () => void (await Promise.all(running.map(({ child }) => stop(child)))) };
}

/** The newest warnings and errors of the services, for whoever reads why a test failed. */
export async function lastWarnings(): Promise<string> {
  const lines = (await readFile(LOG, 'utf8').catch(() => '')).split('\n');
  return lines
    .filter((line) => line.startsWith('{"level":'))
    .slice(-LINES_SHOWN)
    .join('\n');
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
