import { mkdir, rm, writeFile } from 'node:fs/promises';
import { expect, test } from '@playwright/test';
import { WebSocket } from 'ws';
import { openTwilioDouble, type TwilioDouble } from '#lib/adapters/carriers/twilio/double-testing.ts';
import { listeningSocketPath } from '#lib/features/calls/supervision/contract.ts';
import type { PreparedWebCall } from '#lib/features/calls/web/contract.ts';
import { PORTS } from './support/ports.ts';
import { startService } from './support/service.ts';

const STREAMS = 100;
const port = PORTS.streams;
const url = `http://localhost:${port}`;
const dataDir = 'node_modules/.cache/callwright/e2e-streams';
const provisionFile = `${dataDir}-provision.json`;
const key = 'cw_test_streams';
const owner = { email: 'owner@streams.test', password: 'streams-password-1' };
const number = '+15550100077';
const workspace = {
  id: 'ws_streams',
  name: 'Streams',
  maxConcurrentCalls: 1_000,
  monthlyUsageLimitMinutes: null,
  users: [{ ...owner, role: 'owner' }],
  apiKeys: [{ name: 'test', key }],
  agents: [
    {
      id: 'agent_streams',
      name: 'Front desk',
      inboundPrompt: 'You answer the phone for a dentist. Say: Hello, this is the dentist.',
    },
  ],
  phoneNumbers: [{ number, agentId: 'agent_streams', carrier: 'twilio', maxConcurrentCalls: 1_000 }],
};

/** One service for all of them; what each opens ends with its test. */
let service: Awaited<ReturnType<typeof startService>>;
let twilio: TwilioDouble;
let cookie: string;

test.describe.configure({ mode: 'serial', timeout: 120_000 });

test.beforeAll(async () => {
  test.setTimeout(180_000);
  await rm(dataDir, { recursive: true, force: true });
  await mkdir(dataDir, { recursive: true });
  await writeFile(provisionFile, JSON.stringify({ workspaces: [workspace] }));
  twilio = await openTwilioDouble();
  service = await startService({
    port,
    dataDir,
    env: {
      PROVISION_FILE: provisionFile,
      RATE_LIMIT_PER_SECOND: '5000',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_API_BASE: twilio.base,
    },
  });
  const answer = await fetch(`${url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(owner),
  });
  cookie = answer.headers
    .getSetCookie()
    .map((set) => set.split(';')[0])
    .join('; ');
});

test.afterAll(async () => {
  await service.stop();
  await twilio.close();
});

/** Asks for pages, one after the other, as long as `work` takes. */
async function whilePagesAreServed(work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const statuses: number[] = [];
  const serve = async () => {
    while (!over.signal.aborted) {
      const answer = await fetch(`${url}/sign-in`, { headers: { accept: 'text/html' } });
      await answer.text();
      statuses.push(answer.status);
    }
  };
  // The first page is there before the first stream.
  const served = serve();
  await expect.poll(() => statuses.length).toBeGreaterThan(0);
  try {
    await work();
  } finally {
    over.abort();
    await served;
  }
  expect(new Set(statuses)).toEqual(new Set([200]));
}

async function prepareWebCall(): Promise<string> {
  const answer = await fetch(`${url}/api/agents/agent_streams/web-calls`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ isTest: true }),
  });
  const { data } = (await answer.json()) as { data: PreparedWebCall };
  return data.webSocketUrl;
}

/** A browser's end of a WebSocket: what it was told, and whether it heard anything. */
function connect(address: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(address, { headers });
  const messages: string[] = [];
  let bytes = 0;
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) bytes += data.length;
    else messages.push((JSON.parse(data.toString()) as { type: string }).type);
  });
  socket.on('error', (error) => messages.push(error.message));
  socket.on('close', (code) => messages.push(`closed with ${code}`));
  return { socket, messages, hears: () => bytes > 0 };
}

test(`${STREAMS} calls over Twilio that come at once are all greeted`, async () => {
  const ring = (_: unknown, index: number) =>
    twilio.ring(`${url}/api/carriers/twilio/voice`, { from: `+1555019${1_000 + index}`, to: number });
  await whilePagesAreServed(async () => {
    const rung = await Promise.all(Array.from({ length: STREAMS }, ring));
    const isGreeted = ({ call }: (typeof rung)[number]) =>
      call.stream?.sent().some((sample) => Math.abs(sample) > 1_000) === true;
    await expect.poll(() => rung.filter(isGreeted).length, { timeout: 40_000 }).toBe(STREAMS);
    await Promise.all(rung.map(({ call }) => twilio.hangUp(call)));
  });
});

test(`${STREAMS} web calls that begin at once are all greeted`, async () => {
  const addresses = await Promise.all(Array.from({ length: STREAMS }, prepareWebCall));
  await whilePagesAreServed(async () => {
    const callers = addresses.map((address) => connect(address));
    const isGreeted = ({ messages, hears }: (typeof callers)[number]) => messages[0] === 'ready' && hears();
    await expect.poll(() => callers.filter(isGreeted).length, { timeout: 30_000 }).toBe(STREAMS);
    for (const { socket } of callers) socket.send(JSON.stringify({ type: 'hangup' }));
    await expect
      .poll(() => callers.filter(({ messages }) => messages.at(-1) === 'closed with 1000').length)
      .toBe(STREAMS);
  });
});

test(`${STREAMS} people who begin to listen to a call at once all hear it`, async () => {
  const caller = connect(await prepareWebCall());
  await expect.poll(caller.hears, { timeout: 30_000 }).toBe(true);
  const callId = /cnv_\w+/.exec(caller.socket.url)?.[0] ?? '';
  const address = `${url.replace('http', 'ws')}${listeningSocketPath(workspace.id, callId)}`;
  await whilePagesAreServed(async () => {
    const listeners = Array.from({ length: STREAMS }, () => connect(address, { cookie, origin: url }));
    const hears = ({ messages, hears: hearsSound }: (typeof listeners)[number]) =>
      messages[0] === 'listening' && hearsSound();
    await expect.poll(() => listeners.filter(hears).length, { timeout: 30_000 }).toBe(STREAMS);
    caller.socket.send(JSON.stringify({ type: 'hangup' }));
    await expect
      .poll(() => listeners.filter(({ messages }) => messages.includes('ended')).length)
      .toBe(STREAMS);
  });
});
