import type { Logger } from '#lib/log.ts';
import type { Leg, LegEvent } from '#lib/ports/carrier.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { leaveMessage } from './answering-machine.ts';
import type { Brain } from './brain/brain.ts';
import { createLocalBrain } from './brain/local/local-brain.ts';
import { voicemailMessage } from './brain/local/voicemail-message.ts';
import { createModelBrain } from './brain/model-brain.ts';
import { createCallSession } from './call-session.ts';
import { createCallRecorder } from './call-recorder.ts';
import { runTurns } from './conversation.ts';
import { type CallEnd, describeEnd } from './describe-end.ts';
import type { CallPlan, CallSinks, ConversationResult, KnowledgeHit } from './plan.ts';
import type { Outcome } from './tools/tool.ts';
import { createToolExecutor } from './tools/tool-executor.ts';

export type RunConversationOptions = {
  plan: CallPlan;
  leg: Leg;
  speech: SpeechSynthesizer;
  /** Undefined: the local brain follows the prompt by rules. */
  languageModel: LanguageModel | undefined;
  searchKnowledge: (query: string) => Promise<KnowledgeHit[]>;
  sinks: CallSinks;
  ids: Ids;
  log: Logger;
  /** Aborts when the service stops: the agent says goodbye and hangs up within seconds. */
  signal: AbortSignal;
};

/**
 * Runs one call on a leg that is already dialled or ringing, to its end: waits for the answer, talks to a person or
 * leaves a message on a machine, records both sides. Everything that happens goes to `sinks` as it happens; a sink
 * that fails ends the call and the failure is thrown. The recording's body must be read, or ended with `return()`.
 */
export async function runConversation(options: RunConversationOptions): Promise<ConversationResult> {
  const { leg, signal } = options;
  const faults: unknown[] = [];
  const sinks = guardSinks(options.sinks, leg, faults);
  const events = leg.events[Symbol.asyncIterator]();
  const answer = await waitForAnswer(leg, events, sinks, signal);
  if (!answer.connected) return neverConnected(answer.reason);
  try {
    const result = await runAnsweredCall({ ...options, sinks }, answer, events);
    if (faults.length === 0) return result;
    for await (const _ of result.recording?.body ?? []) break;
    throw faults[0];
  } finally {
    // Whatever happened, nobody is left on an open session.
    await leg.hangUp();
  }
}

type Answer =
  | { connected: true; by: 'human' | 'machine' | 'unknown'; atMs: number }
  | { connected: false; reason: string };

async function waitForAnswer(
  leg: Leg,
  events: AsyncIterator<LegEvent>,
  sinks: CallSinks,
  signal: AbortSignal,
): Promise<Answer> {
  const onAbort = () => void leg.hangUp().catch(() => undefined);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    for (let next = await events.next(); !next.done; next = await events.next()) {
      const event = next.value;
      if (event.type === 'ringing') await sinks.ringing(event.atMs);
      if (event.type === 'never_connected') return { connected: false, reason: event.reason };
      if (event.type === 'hangup')
        return { connected: false, reason: signal.aborted ? 'shutdown' : 'cancelled' };
      if (event.type === 'answered') {
        await sinks.answered(event.atMs, event.by);
        return { connected: true, by: event.by, atMs: event.atMs };
      }
    }
    return { connected: false, reason: 'network_failure' };
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

async function runAnsweredCall(
  options: RunConversationOptions,
  answer: Extract<Answer, { connected: true }>,
  events: AsyncIterator<LegEvent>,
): Promise<ConversationResult> {
  const { leg, sinks, signal, log } = options;
  const plan = await settleSettings(options);
  const recorder = await leg.clock.during(
    createCallRecorder((error) =>
      log.error({ callId: plan.callId, err: error }, 'The call could not be recorded'),
    ),
  );
  const outcome: Outcome = { appointment: null, callback: null };
  const elapsedMs = () => leg.clock.nowMs() - answer.atMs;
  let hungUpAtMs: number | undefined;
  const legEvents = watchEvents(events, (event) => {
    if (event.type === 'hangup') hungUpAtMs = event.atMs;
  });
  const tools = createToolExecutor({
    plan,
    now: () => new Date(plan.startedAt.getTime() + elapsedMs()),
    searchKnowledge: options.searchKnowledge,
    outcome,
    elapsedMs,
    store: (use) => sinks.toolUse(use),
    log,
  });
  const brain: Brain = options.languageModel
    ? createModelBrain({ plan, model: options.languageModel, tools, log })
    : createLocalBrain({ plan, tools });
  const session = createCallSession({
    ...options,
    plan,
    recorder,
    answeredAtMs: answer.atMs,
    onAgentSaid: (text) => brain.noteAgentSaid(text),
  });
  try {
    const end = await talk({ session, legEvents, brain, tools, signal }, answer.by);
    const durationMs = Math.round((hungUpAtMs ?? leg.clock.nowMs()) - answer.atMs);
    return {
      connected: true,
      neverConnectedReason: null,
      answeredBy: end.machine ? 'machine' : answer.by,
      durationMs,
      voicemail: end.machine?.voicemail ?? null,
      transferredTo: end.conversation?.transferredTo ?? null,
      ...outcome,
      ...describeEnd(end, session.hasHumanSpoken()),
      usage: { ...brain.usage, spokenMs: session.spokenMs() },
      recording: await recorder.finish(durationMs),
    };
  } catch (error) {
    await recorder.discard();
    throw error;
  }
}

async function* watchEvents(
  events: AsyncIterator<LegEvent>,
  watch: (event: LegEvent) => void,
): AsyncGenerator<LegEvent> {
  for (let next = await events.next(); !next.done; next = await events.next()) {
    watch(next.value);
    yield next.value;
  }
}

async function talk(
  options: Parameters<typeof runTurns>[0],
  answeredBy: 'human' | 'machine' | 'unknown',
): Promise<CallEnd> {
  const { session, signal } = options;
  const message = voicemailMessage(session.plan);
  if (answeredBy === 'machine') {
    return { machine: await leaveMessage({ session, legEvents: options.legEvents, message, signal }) };
  }
  const conversation = await runTurns(options);
  if (conversation.type === 'ended') return { conversation };
  const { events: legEvents, greeting } = conversation;
  await session.sinks.event('machine_detected', { greeting: true });
  return { machine: await leaveMessage({ session, legEvents, message, greeting, signal }) };
}

/** The plan with a voice that exists; every setting that cannot be followed is reported. */
async function settleSettings({ plan, speech, sinks }: RunConversationOptions): Promise<CallPlan> {
  const { voiceId, integrationIds } = plan;
  // No integration exists yet: an id that is kept for later must not look as if it worked.
  for (const integrationId of integrationIds) await sinks.event('integration_unknown', { integrationId });
  if (voiceId === null || speech.voices.some((voice) => voice.id === voiceId)) return plan;
  await sinks.event('voice_unknown', { voiceId, usedVoiceId: speech.voices[0]?.id ?? null });
  return { ...plan, voiceId: null };
}

/**
 * Call time stands still while something is stored. What cannot be stored must not be talked about any further: the
 * first failure hangs up, and `faults` keeps it.
 */
function guardSinks(sinks: CallSinks, leg: Leg, faults: unknown[]): CallSinks {
  const guard = <T>(work: Promise<T>): Promise<T> =>
    leg.clock.during(work).catch(async (error: unknown) => {
      faults.push(error);
      await leg.hangUp();
      throw error;
    });
  return {
    ringing: (atMs) => guard(sinks.ringing(atMs)),
    answered: (atMs, by) => guard(sinks.answered(atMs, by)),
    turn: (turn) => guard(sinks.turn(turn)),
    toolUse: (use) => guard(sinks.toolUse(use)),
    event: (type, data) => guard(sinks.event(type, data)),
    extendUsage: (totalSeconds) => guard(sinks.extendUsage(totalSeconds)),
  };
}

const NEVER_CONNECTED: Record<string, string> = {
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  network_failure: 'The call could not be connected.',
  rejected: 'The call was rejected.',
  shutdown: 'The service stopped before the call was answered.',
  cancelled: 'The call was cancelled before it was answered.',
};

function neverConnected(reason: string): ConversationResult {
  return {
    connected: false,
    neverConnectedReason: reason,
    answeredBy: null,
    durationMs: 0,
    voicemail: null,
    transferredTo: null,
    appointment: null,
    callback: null,
    endedBy: null,
    endReason: NEVER_CONNECTED[reason] ?? 'The call could not be connected.',
    usage: { inputTokens: 0, outputTokens: 0, spokenMs: 0 },
    recording: null,
  };
}
