import { appendFile, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { calls, turns } from '#db/schema/calls.ts';
import { journalFolder } from '#lib/conversation-process/journal.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { seedLine, shortConversation, untilTold } from '../testing.ts';
import { outcomeOfInterrupted } from './interrupted.ts';
import { callWorker, clockAhead, startCallsRuntime, TAKEOVER_MS } from './testing.ts';

let runtime: TestRuntime;
let folder: string;

beforeAll(async () => {
  runtime = await startCallsRuntime();
  folder = journalFolder(runtime.dataDir);
  await mkdir(folder, { recursive: true });
});
afterAll(() => runtime.close());

const callRow = async (id: string) => (await runtime.db.select().from(calls).where(eq(calls.id, id))).at(0);

/** A call that is talking in a process which goes silent. */
async function talkingCall(name: string): Promise<string> {
  const line = await seedLine(runtime.db, name);
  const process = callWorker(
    runtime,
    shortConversation({}, () => new Promise(() => undefined)),
  );
  const { conversationId } = await runtime.calls.queueOutbound(line.actor, {
    from: line.number,
    to: parsePhoneNumber('+15550109901'),
  });
  await process.dispatcher.fill(line.actor.workspaceId);
  const hasTurns = async () => (await runtime.db.$count(turns, eq(turns.callId, conversationId))) === 2;
  await untilTold([process], conversationId, hasTurns);
  await process.dispatcher.stop(1);
  return conversationId;
}

function turnReport(seq: number) {
  const text = `Sentence ${seq}`;
  const said = { seq, text, intendedText: null, startedMs: seq * 10, endedMs: seq * 10 + 5 };
  const turn = { ...said, speaker: 'human' as const, interrupted: false };
  // Several in each millisecond, as when many messages come at once.
  return { kind: 'report' as const, atMs: 5_000 + (seq >> 3), report: { type: 'turn' as const, turn } };
}

it('stores a journal of hundreds of reports, each once, and lets others work meanwhile', async () => {
  const callId = await talkingCall('long');
  const lines = Array.from({ length: 400 }, (_, at) => `${JSON.stringify(turnReport(at + 3))}\n`);
  await writeFile(join(folder, `${callId}.jsonl`), lines.join(''));
  const heir = callWorker(runtime, shortConversation(), clockAhead(runtime, TAKEOVER_MS));
  let turnsOfTheLoop = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turnsOfTheLoop += 1) await setImmediate();
  })();
  await heir.dispatcher.sweep();
  await untilTold([heir], callId, async () => (await callRow(callId))?.status === 'ended');
  isOver = true;
  await others;
  expect(await runtime.db.$count(turns, eq(turns.callId, callId))).toBe(402);
  expect(turnsOfTheLoop).toBeGreaterThan(400);
});

it('ends a call whose journal cannot be read after three tries, and recovers its neighbours at once', async () => {
  const broken = await talkingCall('broken');
  const whole = await talkingCall('whole');
  // A folder is no journal: whoever reads it fails.
  await mkdir(join(folder, `${broken}.jsonl`));
  await appendFile(join(folder, `${whole}.jsonl`), `${JSON.stringify(turnReport(3))}\n`);
  const tries: (string | undefined)[] = [];
  for (let attempt = 1; attempt <= 4; attempt += 1) {
    const heir = callWorker(runtime, shortConversation(), clockAhead(runtime, attempt * TAKEOVER_MS));
    await heir.dispatcher.sweep();
    await heir.dispatcher.stop(20_000);
    tries.push((await callRow(broken))?.status);
    if (attempt === 1) expect(await callRow(whole)).toMatchObject({ status: 'ended', recoveryAttempts: 1 });
  }
  expect(tries).toEqual(['in_progress', 'in_progress', 'in_progress', 'ended']);
  expect(await callRow(broken)).toMatchObject({ disposition: 'COMPLETED', durationSeconds: 4 });
  expect((await readdir(folder)).filter((name) => name.startsWith(broken))).toEqual([
    `${broken}.jsonl.unread`,
  ]);
});

it('knows how long a call lasted that had more turns than a function takes arguments', () => {
  const many = Array.from({ length: 300_000 }, (_, at) => ({
    speaker: 'human' as const,
    startedMs: at,
    endedMs: at + 1,
  }));
  expect(outcomeOfInterrupted(many, [], 'cut off').durationMs).toBe(300_000);
});
