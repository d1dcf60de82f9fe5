import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ROOT } from './execute.ts';
import { untilReady } from './until-ready.ts';

/**
 * Starts the services of the browser tests as playwright.config.ts lists them, and waits until each is ready. With
 * `E2E_REUSE=1`, Playwright then takes these. One that does not get ready is stopped: Playwright starts it, and says why.
 */
export async function startServices(env: NodeJS.ProcessEnv): Promise<{ stop(): Promise<void> }> {
  const { default: tests } = await import('../playwright.config.ts');
  const running = [tests.webServer ?? []].flat().map(({ command, url, timeout = 0, env: own }) => {
    const [program = 'node', ...args] = command.split(' ');
    const child = spawn(program, args, { cwd: ROOT, env: { ...env, ...own }, stdio: 'ignore' });
    const port = Number(new URL(url ?? '').port);
    return { child, ready: untilReady(child, port, AbortSignal.timeout(timeout)) };
  });
  await Promise.all(running.map(({ child, ready }) => ready.catch(() => stop(child))));
  return { stop: async () => void (await Promise.all(running.map(({ child }) => stop(child)))) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
