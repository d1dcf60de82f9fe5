import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * `npx node bench/doors/run.ts [port] [attack …]`: starts the service and asks it as one tenant while another attacks.
 * Prints the tenant's p50 and p95 with and without each attack, and what the service's memory grew by.
 */
const port = Number(process.argv[2] ?? 4100);
const chosen = process.argv.slice(3);
const ATTACKS = chosen.length > 0 ? chosen : ['arrays', 'stalls', 'passwords', 'variables', 'pages'];
const QUIET_MS = 5_000;
const ATTACK_MS = 12_000;
const EVERY_MS = 20;

const workspace = (name: string) => ({
  id: `ws_${name}`,
  name,
  users: [{ email: `owner@${name}.test`, name: 'Owner', password: `${name}-password-1`, role: 'owner' }],
  apiKeys: [{ name: 'bench', key: `cw_test_bench_${name}` }],
  agents: [{ id: `agent_${name}`, name: 'Front desk', inboundPrompt: 'You are Mia.' }],
});

const dataDir = await mkdtemp(join(tmpdir(), 'callwright-doors-'));
const provisionFile = join(dataDir, 'provision.json');
await writeFile(provisionFile, JSON.stringify({ workspaces: [workspace('alpha'), workspace('beta')] }));
const service = spawn(process.execPath, ['server/start.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    PORT: String(port),
    DATA_DIR: join(dataDir, 'data'),
    PROVISION_FILE: provisionFile,
    LOG_LEVEL: 'error',
    NODE_ENV: 'production',
  },
});
const agent = new Agent({ keepAlive: true, maxSockets: 50 });

/** The other tenant's request, from an address of its own: milliseconds until it was answered. */
function ask(): Promise<{ status: number; tookMs: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    get(
      {
        host: '127.0.0.1',
        localAddress: '127.0.0.2',
        port,
        path: '/api/conversations?limit=10',
        agent,
        headers: { 'x-api-key': 'cw_test_bench_beta', 'accept-encoding': 'gzip' },
      },
      (response) => {
        response
          .resume()
          .on('end', () =>
            resolve({ status: response.statusCode ?? 0, tookMs: performance.now() - startedAt }),
          );
      },
    ).on('error', () => resolve({ status: 0, tookMs: performance.now() - startedAt }));
  });
}

/** Asks at a steady pace, whether answers come or not. */
async function measure(forMs: number) {
  const answers: ReturnType<typeof ask>[] = [];
  const endsAt = performance.now() + forMs;
  let memoryMb = 0;
  while (performance.now() < endsAt) {
    answers.push(ask());
    if (answers.length % 10 === 0) memoryMb = Math.max(memoryMb, await residentMb());
    await delay(EVERY_MS);
  }
  const done = await Promise.all(answers);
  const times = done.map((answer) => answer.tookMs).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  const failed = done.filter((answer) => answer.status !== 200).length;
  return { p50: at(0.5), p95: at(0.95), failed, memoryMb };
}

async function residentMb(): Promise<number> {
  const status = await readFile(`/proc/${service.pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

async function untilReady(): Promise<void> {
  for (let tries = 0; tries < 240; tries += 1) {
    if ((await ask()).status === 200) return;
    await delay(1_000);
  }
  throw new Error('the service was not ready after four minutes');
}

try {
  await untilReady();
  await measure(QUIET_MS);
  for (const name of ATTACKS) {
    const quiet = await measure(QUIET_MS);
    const attacker = spawn(process.execPath, [
      new URL('./attacks.ts', import.meta.url).pathname,
      name,
      String(port),
      'cw_test_bench_alpha',
    ]);
    await delay(1_000);
    const attacked = await measure(ATTACK_MS);
    attacker.kill('SIGKILL');
    console.log(
      JSON.stringify({
        attack: name,
        quietMs: { p50: quiet.p50, p95: quiet.p95 },
        attackedMs: { p50: attacked.p50, p95: attacked.p95 },
        p95Ratio: Math.round((10 * attacked.p95) / Math.max(1, quiet.p95)) / 10,
        failed: attacked.failed,
        memoryGrewMb: attacked.memoryMb - quiet.memoryMb,
        load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      }),
    );
    await delay(5_000);
  }
} finally {
  service.kill('SIGTERM');
  await new Promise((resolve) => service.once('exit', resolve));
  await rm(dataDir, { recursive: true, force: true });
}
