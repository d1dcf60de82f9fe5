import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from './execute.ts';

/**
 * Starts the services of the browser tests as playwright.config.ts lists them, and waits until each is ready. With
 * `E2E_REUSE=1`, Playwright then takes these. One that does not get ready is stopped: Playwright starts it, and says why.
 */
export async function startServices(env: NodeJS.ProcessEnv): Promise<{ stop(): Promise<void> }> {
  const { default: tests } = await import('../playwright.config.ts');
  const listed = [tests.webServer ?? []].flat();
  const running = listed.map((service) => {
    const [program = 'node', ...args] = service.command.split(' ');
    const child = spawn(program, args, { cwd: ROOT, env: { ...env, ...service.env }, stdio: 'ignore' });
    return { child, ready: untilReady(child, service.url ?? '', service.timeout ?? 0) };
  });
  await Promise.all(
    running.map(async ({ child, ready }) => {
      if (!(await ready)) await stop(child);
    }),
  );
  return { stop: async () => void (await Promise.all(running.map(({ child }) => stop(child)))) };
}

async function untilReady(child: ChildProcess, url: string, timeoutMs: number): Promise<boolean> {
  const lastTry = performance.now() + timeoutMs;
  while (child.exitCode === null && performance.now() < lastTry) {
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return true;
    await delay(200);
  }
  return false;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
