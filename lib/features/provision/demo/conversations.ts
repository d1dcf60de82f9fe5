import { systemActor } from '#lib/auth/mint.ts';
import { buildRuntimeAtSpeed, type Runtime } from '#lib/runtime.ts';
import { appErrorOf } from '#lib/http/error-response.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { countCalls, isCallEnded, moveCallTo } from './repository.ts';
import { DEMO_CALLS, type DemoCall } from './script.ts';

/** Fast enough to fill the demo in seconds, slow enough that the database keeps up with what is said. */
const SPEED = 100;
/** Lines of the demo workspace that stay free for whoever tries it meanwhile. */
const AT_ONCE = 4;
const POLL_MS = 50;
/** On a machine that does more than it can, a statement or a line is refused for a moment. */
const TRIES = 30;
const AGAIN_MS = 1_000;
const DAY_MS = 86_400_000;

/**
 * Holds the conversations of the demo: real calls through the whole service, only faster than real time, each then
 * moved back to its day. Goes on where an interrupted start left off.
 */
export async function runDemoConversations(runtime: Runtime): Promise<void> {
  const actor = systemActor('ws_demo', 'demo');
  const fast = buildRuntimeAtSpeed(runtime, SPEED);
  const done = await countCalls(runtime.db, actor.workspaceId);
  const waiting = DEMO_CALLS.slice(done);
  const line = async () => {
    for (let call = waiting.shift(); call; call = waiting.shift()) await holdOne(fast, call);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, line));
}

async function holdOne(runtime: Runtime, call: DemoCall): Promise<void> {
  const { db, clock } = runtime;
  const { workspaceId } = systemActor('ws_demo', 'demo');
  const callId = await insist(clock, () => queue(runtime, call));
  await insist(clock, () => runtime.dispatcher.fill(workspaceId));
  // However long it takes: whoever tries the demo meanwhile may hold all of its lines.
  while (!(await insist(clock, () => isCallEnded(db, workspaceId, callId)))) await clock.sleep(POLL_MS);
  const to = { startedAt: momentOf(call, clock.now()), stretch: SPEED };
  await insist(clock, () => moveCallTo(db, workspaceId, callId, to));
}

/** Asks again where the service is busy for the moment. */
async function insist<Result>(clock: Clock, ask: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries += 1)
    try {
      return await ask();
    } catch (error) {
      if (appErrorOf(error)?.code !== 'NOT_READY' || tries === TRIES) throw error;
      await clock.sleep(AGAIN_MS);
    }
}

async function queue(runtime: Runtime, call: DemoCall): Promise<string> {
  const actor = systemActor('ws_demo', 'demo');
  if (call.direction === 'INBOUND') {
    const { callId } = await runtime.calls.simulateInbound(actor, {
      to: call.agentNumber,
      from: parsePhoneNumber(call.humanNumber),
      variables: call.variables,
    });
    return callId;
  }
  const { conversationId } = await runtime.calls.queueOutbound(actor, {
    from: call.agentNumber,
    to: parsePhoneNumber(call.humanNumber),
    variables: call.variables,
    ...(call.promptId ? { outboundPromptId: call.promptId } : {}),
  });
  return conversationId;
}

/** The call's day and time, never in the future. */
function momentOf(call: DemoCall, now: Date): Date {
  const day = new Date(now.getTime() - call.daysAgo * DAY_MS).toISOString().slice(0, 10);
  const moment = new Date(`${day}T${call.time}:00.000Z`);
  return moment.getTime() < now.getTime() - 600_000 ? moment : new Date(moment.getTime() - DAY_MS);
}
