import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '#db/client.ts';
import { callEvents, callOrders, toolUses, transferAttempts, turns } from '#db/schema/calls.ts';
import { callAttempts } from '#db/schema/calls.ts';
import { callWatches } from '#db/schema/call-watches.ts';
import { chats } from '#db/schema/chats.ts';
import { webCalls } from '#db/schema/web-calls.ts';
import { webhookDeliveries } from '#db/schema/webhooks.ts';
import type { SeededLine } from '#lib/features/calls/testing.ts';
import { recordingKeyOf, waveformKeyOf } from '#lib/features/recordings/rules.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import type { Runtime } from '#lib/runtime.ts';

/** In everything that a conversation leaves behind. */
export const SECRET = 'zebrafish';
export const NUMBER = '+15550177700';
const AT = new Date('2026-03-02T09:00:00.000Z');

/** A conversation with something in every table that has to do with one. */
export async function addFullConversation(
  runtime: Pick<Runtime, 'db' | 'storage' | 'notes' | 'reviews' | 'shares' | 'audit' | 'simulations'>,
  line: SeededLine,
  id: string,
): Promise<string> {
  const { db } = runtime;
  const { workspaceId } = line.actor;
  const own = { callId: id, workspaceId };
  await addEndedCall(db, {
    id,
    workspaceId,
    agentId: line.agentId,
    outboundPromptId: line.promptId,
    humanPhoneNumber: NUMBER,
    variables: { name: SECRET },
    summary: SECRET,
    transcript: `Human: ${SECRET}`,
    tags: [SECRET],
  });
  await db
    .insert(turns)
    .values({ ...own, id: `turn_${id}`, seq: 1, speaker: 'human', text: SECRET, startedMs: 0, endedMs: 1 });
  await db.insert(toolUses).values({
    ...own,
    id: `tool_${id}`,
    seq: 1,
    name: 'x',
    arguments: { SECRET },
    result: { SECRET },
    startedMs: 0,
    endedMs: 1,
  });
  await db.insert(callEvents).values({ ...own, type: 'order', data: { text: SECRET }, at: AT });
  await db.insert(callOrders).values({ ...own, order: { kind: 'end' } as never, createdAt: AT });
  await db.insert(callWatches).values({ ...own, process: SECRET, hasSound: false, until: AT });
  await db
    .insert(callAttempts)
    .values({ ...own, id: `att_${id}`, carrier: 'simulated', reference: `ref_${id}`, committedAt: AT });
  await db.insert(transferAttempts).values({
    ...own,
    id: `tra_${id}`,
    carrier: 'simulated',
    reference: `tref_${id}`,
    number: NUMBER,
    committedAt: AT,
  });
  await db.insert(chats).values({
    id,
    workspaceId,
    agentId: line.agentId,
    source: 'api',
    isOpen: false,
    lastActivityAt: AT,
    createdAt: AT,
  });
  await db.insert(webCalls).values({
    id,
    workspaceId,
    agentId: line.agentId,
    variables: { name: SECRET },
    isTest: false,
    ticketHash: id,
    expiresAt: AT,
    createdAt: AT,
  });
  await db.insert(webhookDeliveries).values({
    ...own,
    id: `whd_${id}`,
    kind: 'call',
    status: 'delivered',
    url: 'https://x.test',
    body: Buffer.from(SECRET),
    responseBody: Buffer.from(SECRET),
    responseHeaders: { x: SECRET },
    createdAt: AT,
  });
  await runtime.notes.add(line.actor, id, SECRET);
  await runtime.reviews.addTag(line.actor, id, `${SECRET}_2`);
  await runtime.reviews.update(line.actor, id, { isReviewed: true });
  await runtime.reviews.rate(line.actor, id, { stars: 1, sentence: SECRET });
  await runtime.shares.create(line.actor, id, 24);
  await runtime.audit.note(line.actor, {
    action: 'call.placed',
    targetId: id,
    data: { direction: 'OUTBOUND', humanPhoneNumber: NUMBER },
  });
  const scenario = await runtime.simulations.makeScenario(line.actor, id);
  await runtime.simulations.start(line.actor, line.agentId, { scenarios: [scenario.id] });
  for (const key of filesOf(workspaceId, id)) await runtime.storage.put(key, Buffer.from(SECRET));
  return id;
}

/** Recording and waveform. */
export function filesOf(workspaceId: string, callId: string): [string, string] {
  const key = recordingKeyOf(workspaceId, callId);
  return [key, waveformKeyOf(key)];
}

export async function countFiles(
  { storage }: Pick<Runtime, 'storage'>,
  workspaceId: string,
  callId: string,
): Promise<number> {
  const found = await Promise.all(filesOf(workspaceId, callId).map((key) => storage.stat(key)));
  return found.filter(Boolean).length;
}

/** The tables with a row that has the text in it, bytes included. */
export async function listTablesWith(db: Database, text: string): Promise<string[]> {
  const tables = await queryRows<{ name: string }>(
    db,
    sql`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await queryRows(
      db,
      sql`select 1 from ${sql.identifier(name)} row where row::text ilike ${`%${text}%`} or row::text like ${`%${Buffer.from(text).toString('hex')}%`} limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}
