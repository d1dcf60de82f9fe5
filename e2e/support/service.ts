import { spawn } from 'node:child_process';

/**
 * The service on a data folder that is kept, for tests that start it more than once. Ready when this resolves;
 * `stop` ends it in order.
 */
export async function startService(given: { port: number; dataDir: string; env?: Record<string, string> }) {
  const child = spawn(process.execPath, ['server/start.ts'], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      SIMULATION_SPEED: '20',
      LOG_LEVEL: 'error',
      NODE_ENV: 'production',
      PORT: String(given.port),
      DATA_DIR: given.dataDir,
      ...given.env,
    },
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  const url = `http://localhost:${given.port}`;
  const deadline = Date.now() + 120_000;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`the service ended at its start, with ${child.exitCode}`);
    const isReady = await fetch(`${url}/api/ready`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (isReady) return { url, stop };
    if (Date.now() > deadline) {
      await stop();
      throw new Error('the service was not ready within two minutes');
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
