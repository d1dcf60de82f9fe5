import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { freshName } from '#db/testing.ts';
import { agents, outboundPrompts } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { phoneNumbers } from '#db/schema/numbers.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { systemActor } from '#lib/auth/mint.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { ConversationResult } from '#lib/engine/plan.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Conversations } from '#lib/conversation-process/conversations.ts';
import type { ConversationHost } from '#lib/conversation-process/host.ts';
import { createInProcessHost } from '#lib/conversation-process/in-process.ts';
import { journalFolder, openJournals } from '#lib/conversation-process/journal.ts';
import { silentLeg } from '#lib/engine/testing.ts';
import type { CallNotifier } from './live/notifier.ts';
import type { TestRuntime } from '#lib/runtime-testing.ts';
import type { Carrier } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';

const AT = new Date('2026-03-02T09:00:00.000Z');

export type SeededLine = {
  actor: Actor;
  agentId: string;
  number: string;
  numberId: string;
  promptId: string;
};

/** A workspace with one active agent, its outbound prompt and a simulated number. */
export async function seedLine(
  db: Database,
  wantedName: string,
  settings: {
    workspace?: Partial<typeof workspaces.$inferInsert>;
    agent?: Partial<typeof agents.$inferInsert>;
    number?: Partial<typeof phoneNumbers.$inferInsert>;
    withoutPrompt?: boolean;
  } = {},
): Promise<SeededLine> {
  const name = freshName(db, wantedName);
  const workspaceId = `ws_${name}`;
  const agentId = `agent_${name}`;
  const numberId = `pn_${name}`;
  const promptId = `prompt_${name}`;
  const times = { createdAt: AT, updatedAt: AT };
  await db.insert(workspaces).values({
    id: workspaceId,
    name: `Workspace ${name}`,
    rateCard: {
      carrierCentsPerMinute: 2,
      speechCentsPerMinute: 1,
      languageCentsPer1kInputTokens: 0,
      languageCentsPer1kOutputTokens: 0,
    },
    webhookUrl: 'https://hooks.example.com/calls',
    webhookSecret: 'whsec_test',
    webhookSecretChangedAt: AT,
    ...times,
    ...settings.workspace,
  });
  await db.insert(agents).values({
    id: agentId,
    workspaceId,
    name: `Agent ${name}`,
    hasPostConversationWebhook: true,
    inboundPrompt: 'You answer the phone for a dentist.',
    ...times,
    ...settings.agent,
  });
  if (!settings.withoutPrompt) {
    await db.insert(outboundPrompts).values({
      id: promptId,
      workspaceId,
      agentId,
      title: 'Reminder',
      instructions: 'Remind {{name}} of the check-up and offer a new date.',
      opening: 'Hello {{name}}, this is the dentist.',
      ...times,
    });
  }
  const number = settings.number?.number ?? `+1555${digitsOf(name)}`;
  await db
    .insert(phoneNumbers)
    .values({ id: numberId, workspaceId, agentId, ...times, ...settings.number, number });
  return { actor: systemActor(workspaceId, 'test'), agentId, number, numberId, promptId };
}

/** Seven digits that differ from name to name. */
function digitsOf(name: string): string {
  return String(createHash('sha256').update(name).digest().readUInt32BE() % 10_000_000).padStart(7, '0');
}

/** Puts any text into a summary, for tests of what shows it. */
export async function setSummary(db: Database, callId: string, summary: string): Promise<void> {
  await db.update(calls).set({ summary }).where(eq(calls.id, callId));
}

export type CountingCarrier = Carrier & {
  dialled: string[];
  callers: string[];
  callIn: Dependencies['simulateCaller'];
};

/** A carrier that connects at once and remembers who was dialled, and who called in. */
export function countingCarrier(): CountingCarrier {
  const dialled: string[] = [];
  const callers: string[] = [];
  return {
    kind: 'simulated',
    dialled,
    callers,
    dial: async ({ reference }) => {
      dialled.push(reference);
      return silentLeg(reference);
    },
    callIn: ({ reference }) => {
      callers.push(reference);
      return silentLeg(reference);
    },
    lookup: async () => 'unknown',
  };
}

/** What a test lets run on the lines of a carrier. */
export type RunConversation = Conversations['run'];

/** Runs scripted conversations in this process, on the lines of a carrier that counts. */
export function scriptedHost(
  runtime: Pick<TestRuntime, 'dataDir'>,
  options: { carrier: CountingCarrier; run: RunConversation; clock: Clock },
): ConversationHost {
  const { carrier, run, clock } = options;
  const conversations: Conversations = {
    carriers: ['simulated'],
    open: async ({ opening, reference, plan }) =>
      opening === 'dial'
        ? carrier.dial({ reference, from: plan.agentPhoneNumber, to: plan.humanPhoneNumber })
        : carrier.callIn({ reference, from: plan.humanPhoneNumber }),
    run,
    lookup: (_carrier, reference) => carrier.lookup(reference),
    tell: async () => undefined,
    connect: async () => {},
    listen: async () => {},
    decline: async () => {},
    close: async () => {},
  };
  const journals = openJournals(journalFolder(runtime.dataDir), { clock, isOwn: () => false });
  return createInProcessHost(conversations, { clock, journals });
}

export const TALKED: ConversationResult = {
  connected: true,
  neverConnectedReason: null,
  answeredBy: 'human',
  durationMs: 12_300,
  voicemail: null,
  transferredTo: null,
  appointment: null,
  callback: null,
  endedBy: 'human',
  endReason: 'The person said goodbye.',
  usage: { inputTokens: 0, outputTokens: 0, spokenMs: 6_000 },
  recording: null,
};

/** A conversation of two turns. `until` keeps the line open for as long as a test wants. */
export function shortConversation(
  result: Partial<ConversationResult> = {},
  until: () => Promise<void> = async () => {},
): RunConversation {
  return async ({ sinks }) => {
    sinks.ringing(0);
    sinks.answered(1_000, 'human');
    sinks.turn({
      seq: 1,
      speaker: 'agent',
      text: 'Hello Ann, this is the dentist.',
      intendedText: null,
      startedMs: 0,
      endedMs: 2_000,
      interrupted: false,
    });
    sinks.turn({
      seq: 2,
      speaker: 'human',
      text: 'Thank you so much, goodbye.',
      intendedText: null,
      startedMs: 2_500,
      endedMs: 4_000,
      interrupted: false,
    });
    await until();
    await sinks.flush();
    return { ...TALKED, ...result };
  };
}

/**
 * Asks whether it is so again whenever one of the workers tells something of the topic, a call or a workspace. Throws
 * when that takes longer than a loaded machine may.
 */
export async function untilTold(
  workers: readonly { notifier: Pick<CallNotifier, 'waitFor'> }[],
  topic: string,
  isSo: () => Promise<boolean>,
): Promise<void> {
  const tooLate = AbortSignal.timeout(60_000);
  const late = once(tooLate, 'abort');
  for (;;) {
    // Before it is asked: what is told meanwhile is not missed.
    const hints = workers.map(({ notifier }) => notifier.waitFor(topic));
    const isDone = await isSo();
    if (!isDone) await Promise.race([late, ...hints.map(({ woken }) => woken)]);
    for (const { cancel } of hints) cancel();
    if (isDone) return;
    if (tooLate.aborted) throw new Error(`it never came to what was waited for of ${topic}`);
  }
}

/** Waits for the event that ends a call, and gives the conversation. Throws when that takes longer than a loaded machine may. */
export async function endedCall(runtime: TestRuntime, actor: Actor, callId: string): Promise<CallDetail> {
  const request = new Request('http://localhost/', { signal: AbortSignal.timeout(80_000) });
  const caller = { actor, request };
  await (await runtime.callEvents.streamCall(caller, callId, undefined)).text();
  const call = await runtime.conversations.getCall(actor, callId);
  if (call.status !== 'ended') throw new Error('the call did not end in time');
  return call;
}
