import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import Papa from 'papaparse';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OpenDatabase } from '#db/client.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import { openTestDatabase } from '#db/testing.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { addAgent, addEndedCalls, addWorkspace, SECRET, startReceiver } from '../testing.ts';
import { createWebhookLog, detailOf } from './service.ts';

let database: OpenDatabase;
let log: ReturnType<typeof createWebhookLog>;
let actor: Actor;
let count = 0;
const clock = manualClock();

beforeAll(async () => {
  database = await openTestDatabase();
  log = createWebhookLog({ db: database.db, clock });
});
beforeEach(async () => {
  actor = await addWorkspace(database.db, `ws_${++count}`);
  await addAgent(database.db, actor.workspaceId, `agent_${count}`);
});
afterAll(() => database.close());

type Given = Partial<typeof webhookDeliveries.$inferInsert>;

/** A delivery of a call of its own, each one second later than the one before. */
async function addDelivery(given: Given = {}): Promise<{ id: string; callId: string }> {
  const [added] = await addDeliveries(1, () => given);
  if (!added) throw new Error('no delivery was added');
  return added;
}

async function addDeliveries(
  howMany: number,
  givenOf: (index: number) => Given,
): Promise<{ id: string; callId: string }[]> {
  const { workspaceId } = actor;
  const agent = (await agentId()) ?? '';
  const added: { id: string; callId: string }[] = [];
  const rows: (typeof webhookDeliveries.$inferInsert)[] = [];
  for (let index = 0; index < howMany; index += 1) {
    const given = givenOf(index);
    const id = given.id ?? `whd_${String(++count).padStart(6, '0')}`;
    await clock.advance(1000);
    added.push({ id, callId: `cnv_${id}` });
    rows.push({
      id,
      workspaceId,
      callId: `cnv_${id}`,
      kind: 'call',
      status: 'delivered',
      url: 'https://hooks.example.com/',
      createdAt: clock.now(),
      ...given,
    });
  }
  await addEndedCalls(
    database.db,
    added.map(({ callId }) => ({ id: callId, workspaceId, agentId: agent })),
  );
  await database.db.insert(webhookDeliveries).values(rows);
  return added;
}

async function agentId() {
  const agent = await database.db.query.agents.findFirst({
    where: (table, { eq }) => eq(table.workspaceId, actor.workspaceId),
  });
  return agent?.id;
}

const idsOf = (page: { deliveries: { id: string }[] }) => page.deliveries.map((delivery) => delivery.id);

describe('the delivery log', { tags: ['postgres'] }, () => {
  it('pages through everything once, latest first, even where times are equal', async () => {
    const at = clock.now();
    const made: string[] = [];
    for (let index = 0; index < 7; index++) made.push((await addDelivery({ createdAt: at })).id);
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await log.listDeliveries(actor, { limit: 3, cursor });
      seen.push(...idsOf(page));
      cursor = page.nextCursor ?? undefined;
    } while (cursor);
    expect(seen).toEqual(made.toReversed());
  });

  it('filters by what failed, by kind and by call', async () => {
    const ok = await addDelivery();
    const failed = await addDelivery({ status: 'failed' });
    const unknown = await addDelivery({ status: 'unknown' });
    const open = await addDelivery({ status: 'pending' });
    const again = await addDelivery({ kind: 'resend', callId: failed.callId });
    const list = async (filter: Parameters<typeof log.exportDeliveries>[1] | object) =>
      idsOf(await log.listDeliveries(actor, { ...filter, limit: 50 }));
    expect(await list({ status: 'failed' })).toEqual([unknown.id, failed.id]);
    expect(await list({ status: 'delivered' })).toEqual([again.id, ok.id]);
    expect(await list({ status: 'open' })).toEqual([open.id]);
    expect(await list({ kind: 'resend' })).toEqual([again.id]);
    expect(await list({ callId: failed.callId })).toEqual([again.id, failed.id]);
  });

  it('shows nothing of another workspace, whose id of a call finds nothing', async () => {
    const mine = await addDelivery();
    const stranger = await addWorkspace(database.db, `ws_${++count}`);
    expect(await log.listDeliveries(stranger, { limit: 50 })).toEqual({ deliveries: [], nextCursor: null });
    expect(await log.listDeliveries(stranger, { limit: 50, callId: mine.callId })).toEqual({
      deliveries: [],
      nextCursor: null,
    });
    expect(await log.exportDeliveries(stranger, { format: 'jsonl' }).text()).toBe('');
  });

  it('is failing once the last twenty failed, test events aside', async () => {
    await addDelivery();
    for (let index = 0; index < 19; index++)
      await addDelivery({ status: index % 2 === 0 ? 'failed' : 'unknown' });
    expect(await log.getHealth(actor)).toMatchObject({ lastCount: 20, failedCount: 19, isFailing: false });
    const last = await addDelivery({ status: 'failed', error: 'The receiver answered 500.' });
    await addDelivery({ kind: 'test', callId: null });
    await addDelivery({ status: 'pending' });
    expect(await log.getHealth(actor)).toMatchObject({
      lastCount: 20,
      failedCount: 20,
      isFailing: true,
      lastFailure: { id: last.id },
    });
    await addDelivery({ kind: 'resend' });
    expect(await log.getHealth(actor)).toMatchObject({ isFailing: false });
  });
});

describe('the export', () => {
  it('holds every row once, over several reads, and disarms formulas', { tags: ['postgres'] }, async () => {
    await addDeliveries(450, (index) => (index === 3 ? { error: '=HYPERLINK("https://evil.example")' } : {}));
    const csv = await log.exportDeliveries(actor, { format: 'csv' }).text();
    const parsed = Papa.parse<Record<string, string>>(csv.trim(), { header: true });
    expect(parsed.errors).toEqual([]);
    expect(new Set(parsed.data.map((row) => row.id)).size).toBe(450);
    expect(parsed.data).toHaveLength(450);
    expect(parsed.data.find((row) => row.error)?.error).toBe(`'=HYPERLINK("https://evil.example")`);
    const lines = (await log.exportDeliveries(actor, { format: 'jsonl' }).text()).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { id: string }).id)).toEqual(
      parsed.data.map((row) => row.id),
    );
  });

  it('keeps the header where nothing matches, and names the file', async () => {
    const response = log.exportDeliveries(actor, { format: 'csv', status: 'failed' });
    expect(response.headers.get('content-disposition')).toMatch(
      /^attachment; filename="webhooks-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect((await response.text()).trim()).toMatch(/^id,kind,status,callId/);
  });
});

const run = promisify(execFile);
const body = Buffer.from(
  JSON.stringify({
    conversationId: 'cnv_1',
    transcript: `Agent: "Grüße" 'n $HOME \`x\` \\ \u{1f4de}\nHuman: <?php ?>`,
  }),
);
const awkwardSecret = `whsec_it's "$x" \\ end`;

/** Runs what a person would paste: a file for the interpreters, standard input for the shell. */
const PASTED: Record<
  string,
  {
    program: string;
    file: string;
    run: (file: string, folder: string, env: NodeJS.ProcessEnv) => Promise<{ stdout: string }>;
  }
> = {
  curl: { program: 'bash', file: 'verify.sh', run: (file, cwd, env) => run('bash', [file], { cwd, env }) },
  node: {
    program: process.execPath,
    file: 'verify.mjs',
    run: (file, cwd, env) => run(process.execPath, [file], { cwd, env }),
  },
  python: {
    program: 'python3',
    file: 'verify.py',
    run: (file, cwd, env) => run('python3', [file], { cwd, env }),
  },
  php: { program: 'php', file: 'verify.php', run: (file, cwd, env) => run('php', [file], { cwd, env }) },
};

async function isInstalled(program: string): Promise<boolean> {
  return run(program, [program === 'openssl' ? 'version' : '--version']).then(
    () => true,
    () => false,
  );
}
const hasShellTools = (await Promise.all(['bash', 'curl', 'openssl'].map(isInstalled))).every(Boolean);
const available = Object.fromEntries(
  await Promise.all(
    Object.entries(PASTED).map(async ([name, { program }]) => [
      name,
      name === 'curl' ? hasShellTools : await isInstalled(program),
    ]),
  ),
) as Record<string, boolean>;

describe('a program to verify a delivery', () => {
  async function pasteAll(name: string, secret: string, tamper = false) {
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    const { id } = await addDelivery({
      body,
      signature: tamper ? signature.replace(/./, (digit) => (digit === 'a' ? 'b' : 'a')) : signature,
    });
    const row = await database.db.query.webhookDeliveries.findFirst({
      where: (table, { eq }) => eq(table.id, id),
    });
    if (!row) throw new Error('the delivery is gone');
    const snippet = detailOf(row, secret).verify?.[name as 'curl'] ?? '';
    const pasted = PASTED[name];
    if (!pasted) throw new Error(`${name} is unknown`);
    const folder = await mkdtemp(join(tmpdir(), 'callwright-verify-'));
    const receiver = await startReceiver();
    try {
      await writeFile(join(folder, pasted.file), snippet);
      const env = { PATH: process.env.PATH, RECEIVER: receiver.url, WEBHOOK_SECRET: secret };
      const { stdout } = await pasted.run(pasted.file, folder, env as unknown as NodeJS.ProcessEnv);
      return { stdout, received: receiver.received, signature };
    } finally {
      await receiver.close();
      await rm(folder, { recursive: true, force: true });
    }
  }

  // A machine without an interpreter cannot run its program: skipped there, and seen to be skipped.
  describe.each(Object.keys(PASTED))('in %s', (name) => {
    it.skipIf(!available[name])('says whether the signature is valid', async () => {
      for (const secret of [SECRET, awkwardSecret]) {
        expect((await pasteAll(name, secret)).stdout).toContain('The signature is valid.');
      }
      expect((await pasteAll(name, SECRET, true)).stdout).toContain('The signature is NOT valid.');
    });
  });

  it.skipIf(!hasShellTools)('in curl repeats the very request to a receiver of your own', async () => {
    const { received, signature } = await pasteAll('curl', SECRET);
    expect(received).toHaveLength(1);
    expect(received[0]?.body.equals(body)).toBe(true);
    expect(received[0]?.headers).toMatchObject({
      'x-webhook-signature': signature,
      'content-type': 'application/json',
    });
  });

  it('holds the secret for nobody, because looking at a delivery is not in the audit log', async () => {
    const { id } = await addDelivery({
      body,
      signature: createHmac('sha256', SECRET).update(body).digest('hex'),
    });
    const detail = await log.getDelivery({ ...actor, role: 'owner' }, id);
    expect(JSON.stringify(detail)).not.toContain(SECRET);
    expect(detail).toMatchObject({
      secretIsCurrent: true,
      body: body.toString(),
      bodySizeBytes: body.byteLength,
    });
  });

  it('says when the secret has changed since', async () => {
    const { id } = await addDelivery({
      body,
      signature: createHmac('sha256', 'whsec_former').update(body).digest('hex'),
    });
    expect(await log.getDelivery(actor, id)).toMatchObject({ secretIsCurrent: false });
  });
});
