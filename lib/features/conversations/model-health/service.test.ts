import { afterAll, beforeAll, expect, it } from 'vitest';
import { callEvents, type calls } from '#db/schema/calls.ts';
import { seedLine, type SeededLine } from '#lib/features/calls/testing.ts';
import { addEndedCall } from '#lib/features/webhooks/testing.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

let runtime: TestRuntime;
let line: SeededLine;
let other: SeededLine;
beforeAll(async () => {
  runtime = await startTestRuntime();
  line = await seedLine(runtime.db, 'model');
  other = await seedLine(runtime.db, 'others');
});
afterAll(() => runtime.close());

type Outcome = NonNullable<(typeof calls.$inferInsert)['outcome']>;
const outcome = (outputTokens: number): Outcome => ({
  connected: true,
  neverConnectedReason: null,
  answeredBy: 'human',
  durationMs: 1_000,
  voicemail: null,
  transferredTo: null,
  appointment: null,
  callback: null,
  endedBy: 'agent',
  endReason: '',
  usage: { inputTokens: outputTokens, outputTokens, spokenMs: 0 },
});

/** A call of minute `minute`, on which the model failed as the kinds say and gave so many tokens. */
async function addCall(
  minute: number,
  kinds: string[],
  outputTokens = 0,
  type = 'model_failed',
): Promise<string> {
  const id = `cnv_model_${minute}`;
  const at = new Date(Date.UTC(2026, 2, 2, 9, minute));
  const { workspaceId } = line.actor;
  await addEndedCall(runtime.db, {
    id,
    workspaceId,
    agentId: line.agentId,
    dateInitiated: at,
    outcome: outcome(outputTokens),
  });
  for (const kind of kinds)
    await runtime.db
      .insert(callEvents)
      .values({ callId: id, workspaceId, type, data: { model: 'gpt-x', kind }, at });
  return id;
}

it('a refused key is told from the calls that met it, to their workspace alone, until one works', async () => {
  const health = () => runtime.modelHealth.get(line.actor);
  expect(await health()).toEqual({ problem: null });
  await addCall(1, ['overloaded']);
  expect(await health()).toEqual({ problem: null });
  const callId = await addCall(2, ['timed_out', 'bad_key']);
  const at = Date.UTC(2026, 2, 2, 9, 2);
  // A call on which nobody asked the model tells nothing.
  await addCall(3, []);
  expect(await health()).toEqual({
    problem: { part: 'language', kind: 'bad_key', model: 'gpt-x', callId, at },
  });
  expect(await runtime.modelHealth.get(other.actor)).toEqual({ problem: null });
  // The fallback answered, and the key is still refused.
  await addCall(4, ['bad_key'], 20);
  expect(await health()).toMatchObject({ problem: { callId: 'cnv_model_4' } });
  await addCall(5, [], 20);
  expect(await health()).toEqual({ problem: null });
  // Nobody is understood, though the language model works.
  await addCall(6, ['timed_out'], 20, 'transcription_failed');
  expect(await health()).toEqual({ problem: null });
  await addCall(7, ['no_credit'], 20, 'transcription_failed');
  expect(await health()).toMatchObject({ problem: { part: 'transcription', kind: 'no_credit' } });
});
