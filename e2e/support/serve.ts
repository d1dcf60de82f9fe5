import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';

// The service as `npm start` runs it, on an empty data folder, with simulated calls fast enough for tests.
const dataDir = process.env.E2E_DATA_DIR ?? 'node_modules/.cache/callwright/e2e-data';
await rm(dataDir, { recursive: true, force: true });
const child = spawn(process.execPath, ['server/start.ts'], {
  stdio: 'inherit',
  env: {
    SIMULATION_SPEED: '20',
    LOG_LEVEL: 'warn',
    ...process.env,
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
  },
});
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => process.exit(code ?? 0));
