/**
 * What live views cost while nothing happens: the processor time of the service's main thread, with and without them.
 *
 *   node bench/service/viewers.ts [--port=4380] [--viewers=2000] [--seconds=30]
 *
 * Two workspaces on the embedded database, each with people who follow its calls fifty times, all at once. Then a call is
 * placed in one of them, and it is measured when the first and the last of its viewers hear of it. Needs Linux and a build
 * (`npm start` once). The floor is the same service that nobody looks at.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent, get, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { untilReady } from '../../scripts/until-ready.ts';
import { processorMsOf } from '../processor-time.ts';
import { signIn } from '../sign-in.ts';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '4380' },
    viewers: { type: 'string', default: '2000' },
    seconds: { type: 'string', default: '30' },
  },
});
const port = Number(options.port);
const seconds = Number(options.seconds);
const base = `http://localhost:${port}`;
const OF_ONE = 50;
const people = Math.ceil(Number(options.viewers) / OF_ONE);
const NAMES = ['alpha', 'beta'];

const personOf = (workspace: string, index: number) => ({
  email: `person${index}@${workspace}.test`,
  name: `Person ${index}`,
  password: 'a password of the bench',
  role: 'viewer',
});
const team = (workspace: string, first: number) =>
  Array.from({ length: people })
    .map((_, index) => index)
    .filter((index) => index % NAMES.length === first)
    .map((index) => personOf(workspace, index));

const folder = await mkdtemp(join(tmpdir(), 'callwright-viewers-'));
const provisionFile = join(folder, 'provision.json');
const workspaces = NAMES.map((name, at) => ({
  id: `ws_${name}`,
  name,
  users: team(name, at),
  apiKeys: [{ name: 'bench', key: `cw_test_bench_${name}` }],
  agents: [
    {
      id: `agent_${name}`,
      name: 'Front desk',
      inboundPrompt: 'You are Mia.',
      outboundPrompts: [
        { id: `prompt_${name}`, title: 'Check-up', instructions: 'You call people.', opening: 'Hello.' },
      ],
    },
  ],
  phoneNumbers: [{ number: `+1555010000${at + 1}`, agentId: `agent_${name}` }],
}));
await writeFile(provisionFile, JSON.stringify({ workspaces }));

const service = spawn(process.execPath, ['server/start.ts'], {
  stdio: ['ignore', 'ignore', 'inherit'],
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: join(folder, 'data'),
    PROVISION_FILE: provisionFile,
    LOG_LEVEL: 'error',
  },
});

/** Of the main thread, in shares of a core. */
async function shareOfCore(): Promise<number> {
  const thread = `${service.pid}/task/${service.pid}`;
  const [before, startedAt] = [processorMsOf(thread), performance.now()];
  await delay(seconds * 1_000);
  return (processorMsOf(thread) - before) / (performance.now() - startedAt);
}

const agent = new Agent({ maxSockets: Infinity });
const heardAt: number[] = [];

async function follow(workspace: string, cookie: string): Promise<IncomingMessage> {
  const path = `/api/dashboard/calls/stream?workspaceId=ws_${workspace}`;
  const [response] = (await once(get(base + path, { agent, headers: { cookie } }), 'response')) as [
    IncomingMessage,
  ];
  if (response.statusCode !== 200) throw new Error(`a stream was answered ${response.statusCode}`);
  let hasHeard = false;
  response.setEncoding('utf8').on('data', (text: string) => {
    if (hasHeard || !text.includes('call.queued')) return;
    hasHeard = true;
    heardAt.push(performance.now());
  });
  return response;
}

try {
  await untilReady(service, port);
  const viewers: IncomingMessage[] = [];
  const cookies: { workspace: string; cookie: string }[] = [];
  for (const [at, workspace] of NAMES.entries())
    for (const { email, password } of team(workspace, at))
      cookies.push({ workspace, cookie: await signIn(base, { email, password }) });
  await delay(5_000);
  const quiet = await shareOfCore();
  for (const { workspace, cookie } of cookies)
    viewers.push(...(await Promise.all(Array.from({ length: OF_ONE }, () => follow(workspace, cookie)))));
  await delay(5_000);
  const followed = await shareOfCore();
  const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
  console.log(`${viewers.length} live views: ${percent(followed)} of a core, without them ${percent(quiet)}`);

  const placedAt = performance.now();
  await fetch(`${base}/api/outbound`, {
    method: 'POST',
    headers: { 'x-api-key': 'cw_test_bench_alpha', 'content-type': 'application/json' },
    body: JSON.stringify({ from: '+15550100001', to: '+15550109901', variables: {} }),
  }).then(async (answer) => {
    if (!answer.ok) throw new Error(`the call was answered ${answer.status} ${await answer.text()}`);
  });
  await delay(3_000);
  const took = (at: number | undefined) => `${Math.round((at ?? Number.NaN) - placedAt)} ms`;
  console.log(
    `a call: ${heardAt.length} views heard of it, the first after ${took(heardAt[0])}, the last after ${took(heardAt.at(-1))}`,
  );
  for (const viewer of viewers) viewer.destroy();
} finally {
  agent.destroy();
  if (service.exitCode === null) {
    service.kill('SIGTERM');
    await once(service, 'exit');
  }
  await rm(folder, { recursive: true, force: true });
}
