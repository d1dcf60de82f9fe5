import { eq } from 'drizzle-orm';
import { calls } from '#db/schema/calls.ts';
import { createCallWork } from '#lib/features/calls/execution/call-work.ts';
import {
  countingCarrier,
  type RunConversation,
  scriptedHost,
  type SeededLine,
  shortConversation,
} from '#lib/features/calls/testing.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import { createCampaignWork } from './campaign-work.ts';

/** A process that works on campaigns and on calls, whose clock a test moves. */
export function campaignProcess(
  runtime: TestRuntime,
  { startsAt = new Date(), run = shortConversation() }: { startsAt?: Date; run?: RunConversation } = {},
) {
  let at = startsAt;
  const clock = { ...runtime.clock, now: () => at };
  const carrier = countingCarrier();
  const conversationHost = scriptedHost(runtime, { carrier, run, clock });
  const work = createCallWork({ ...runtime, clock, conversationHost, ...runtime.forCalls });
  /** Calls that are placed are not announced: a test dials when it wants to. */
  const quiet = createCallWork({
    ...runtime,
    clock,
    conversationHost,
    ...runtime.forCalls,
    queue: { ...runtime.queue, send: async () => {} },
  });
  return {
    campaigns: createCampaignWork({ ...runtime, clock, calls: quiet.calls }),
    withCalls: (placing: Partial<typeof quiet.calls>) =>
      createCampaignWork({ ...runtime, clock, calls: { ...quiet.calls, ...placing } }),
    calls: quiet.calls,
    dispatcher: work.dispatcher,
    carrier,
    pass: (seconds: number) => void (at = new Date(at.getTime() + seconds * 1000)),
    now: () => at,
  };
}

/** People with simulated numbers that differ, from 1 on. */
export function peopleOf(count: number, behaviour = '00') {
  return Array.from({ length: count }, (_, index) => ({
    number: `+1555${String(10_000 + index)}${behaviour}`,
    variables: { name: `Person ${index + 1}` },
  }));
}

export const callsOf = (runtime: TestRuntime, line: SeededLine) =>
  runtime.db
    .select()
    .from(calls)
    .where(eq(calls.workspaceId, line.actor.workspaceId))
    // Ids follow one another as well, where the clock of a test stands still.
    .orderBy(calls.createdAt, calls.id);

/** Waits until so many calls of a workspace are over. */
export async function endedCalls(runtime: TestRuntime, line: SeededLine, count: number) {
  for (let tries = 0; tries < 400; tries += 1) {
    const rows = await callsOf(runtime, line);
    if (rows.filter(({ status }) => status === 'ended').length === count) return rows;
    await runtime.clock.sleep(25);
  }
  throw new Error(`there were never ${count} ended calls`);
}
