import { createHash } from 'node:crypto';
import { asc } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import { calls } from '#db/schema/calls.ts';
import { documents } from '#db/schema/knowledge.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { parseEnv, type Env } from '#lib/env.ts';
import { type SeededLine, seedLine } from '#lib/features/calls/testing.ts';
import { uploadRequest } from '#lib/features/knowledge/testing.ts';
import { createLogger } from '#lib/log.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openDependencies } from '#lib/runtime-dependencies.ts';
import { buildRuntime, type Runtime } from '#lib/runtime.ts';

/** An installation of its own, in a folder and a database of its own. */
export function installationEnv(dataDir: string, given: Record<string, string | undefined> = {}): Env {
  return parseEnv({
    DATA_DIR: dataDir,
    SIMULATION_SPEED: '0',
    CONVERSATION_PROCESSES: '0',
    LOG_LEVEL: 'silent',
    ...given,
  });
}

export async function startInstallation(env: Env): Promise<Runtime> {
  const runtime = buildRuntime(await openDependencies(env, createLogger('silent')));
  await runtime.queue.start();
  await runtime.startWorker();
  return runtime;
}

export type Filled = { line: SeededLine; actor: Actor; apiKey: string };

/** A workspace with an agent, a key, documents, and calls that have ended, with their recordings. */
export async function fillInstallation(runtime: Runtime): Promise<Filled> {
  const line = await seedLine(runtime.db, 'kept', { agent: { hasPostConversationWebhook: false } });
  const { key } = await runtime.keys.create(line.actor, { name: 'kept' });
  const base = await runtime.knowledge.bases.create(line.actor, { name: 'Handbook', description: 'Prices' });
  for (const name of ['prices.txt', 'hours.txt'])
    await runtime.knowledge.documents.upload(
      line.actor,
      base.id,
      await uploadRequest({ name, bytes: `A check-up costs 80 euros. ${name.repeat(300)}` }),
    );
  const ids = await placeCalls(runtime, line, 3);
  await untilEnded(runtime, ids);
  return { line, actor: line.actor, apiKey: key };
}

export async function placeCalls(runtime: Runtime, line: SeededLine, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
      from: line.number,
      to: parsePhoneNumber(`+1555010990${index % 6}`),
      variables: { name: 'Ann' },
    });
    ids.push(conversationId);
  }
  return ids;
}

export async function untilEnded(runtime: Runtime, ids: readonly string[]): Promise<void> {
  const open = async () =>
    (await runtime.db.select({ id: calls.id, status: calls.status }).from(calls)).filter(
      ({ id, status }) => ids.includes(id) && status !== 'ended',
    ).length;
  await vi.waitFor(async () => expect(await open()).toBe(0), { timeout: 60_000, interval: 100 });
}

/** Everything that a person and a system see of an installation: conversations, turns, recordings, documents, the key. */
export async function lookAt(runtime: Runtime, { actor, apiKey }: Filled) {
  const rows = await runtime.db.select().from(calls).orderBy(asc(calls.id));
  const files = await runtime.db.select().from(documents).orderBy(asc(documents.id));
  const seen = {
    conversations: await Promise.all(
      rows.map(async ({ id, recordingKey }) => ({
        ...(await runtime.conversations.getCall(actor, id)),
        recordingUrl: undefined,
        recording: recordingKey && (await digestOfObject(runtime, recordingKey)),
      })),
    ),
    documents: await Promise.all(
      files.map(async ({ id, storageKey }) => ({
        ...(await runtime.knowledge.documents.detail(actor, id)),
        text: await runtime.knowledge.documents.extractedText(actor, id, { start: 0, length: 1_000 }),
        file: await digestOfObject(runtime, storageKey),
      })),
    ),
    keyIsOf: (await runtime.auth.keyRing.find(apiKey))?.workspaceId,
    secret: runtime.signingSecret,
  };
  return seen;
}

type Seen = Awaited<ReturnType<typeof lookAt>>;

/** Whatever had ended when the backup was taken is as it was; what had not was ended by the restored service. */
export function expectRestored(after: Seen, before: Seen): void {
  const known = new Map(before.conversations.map((each) => [each.id, each]));
  const ended = after.conversations.filter(
    ({ id, events }) => events.at(-1)?.at === known.get(id)?.events.at(-1)?.at,
  );
  expect(ended.length).toBeGreaterThanOrEqual(3);
  for (const conversation of ended) expect(conversation).toEqual(known.get(conversation.id));
  expect({ ...after, conversations: [] }).toEqual({ ...before, conversations: [] });
}

async function digestOfObject({ storage }: Runtime, key: string): Promise<string> {
  const found = await storage.open(key);
  if (!found) throw new Error(`${key} is not stored`);
  const bytes = await new Response(found.body).bytes();
  return createHash('sha256').update(bytes).digest('hex');
}
