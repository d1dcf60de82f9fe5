import type { Logger } from '#lib/log.ts';
import type { Leg, MediaLeg, SpokenLeg } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { ListeningOptions, SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Brain } from './brain/brain.ts';
import { createLocalBrain, type WhileThinking } from './brain/local/local-brain.ts';
import { createModelBrain } from './brain/model-brain.ts';
import { createCallSession } from './call-session.ts';
import { type CallRecorder, createCallRecorder } from './call-recorder.ts';
import { type CallEnd, runTurns } from './conversation.ts';
import { describeEnd, neverConnected } from './describe-end.ts';
import { createLatencies, type Latencies } from './latency.ts';
import type { CallPlan, CallSinks, ConversationResult, KnowledgeHit } from './plan.ts';
import { createSupervision, type Supervision } from './supervision.ts';
import type { Outcome } from './tools/tool.ts';
import { createToolExecutor, type ToolExecutor } from './tools/tool-executor.ts';
import { voicemailMessage } from './voicemail-message.ts';
import { within } from './within.ts';

/** Each step of the end of a call may take this long by itself; what was posted longer, since it must not be lost. */
const TEARDOWN_MS = 5_000;
const STORE_MS = 30_000;

/** Makes words of the sound of a leg, and sound of words. */
export type OpenSpokenLeg = (leg: MediaLeg, listening: ListeningOptions) => SpokenLeg;

export type RunConversationOptions = {
  plan: CallPlan;
  leg: Leg;
  openSpokenLeg: OpenSpokenLeg;
  /** The voices that there are, first one the default. */
  voices: SpeechSynthesizer['voices'];
  /** Undefined: the local brain follows the prompt by rules. */
  languageModel: LanguageModel | undefined;
  /** Asked where `languageModel` fails. */
  fallbackModel?: LanguageModel | undefined;
  searchKnowledge: (query: string) => Promise<KnowledgeHit[]>;
  /** Awaits what the local brain decides; call time that is not real may stand still meanwhile. */
  whileThinking?: WhileThinking | undefined;
  sinks: CallSinks;
  /** Real time, for what the end of a call waits for; call time may run faster. */
  clock: Clock;
  ids: Ids;
  /** See `createCallRecorder`. */
  recordingPath?: string | undefined;
  log: Logger;
  /** People who watch the call and give orders; left out: nobody can. */
  supervision?: Supervision | undefined;
  /** Aborts when the service stops: the agent says goodbye and hangs up within seconds. */
  signal: AbortSignal;
};

/**
 * Runs one call on a leg that is already dialled or ringing, to its end: waits for the answer, talks to a person or
 * leaves a message on a machine, records both sides. Everything that happens is posted to `sinks` as it happens and is
 * stored when this returns; what cannot be stored ends the call, and the failure is thrown. The recording's body must
 * be read, or ended with `return()`.
 */
export async function runConversation(options: RunConversationOptions): Promise<ConversationResult> {
  const { leg, sinks } = options;
  // What cannot be stored must not be talked about any further.
  const onFault = () => void leg.hangUp().catch(() => undefined);
  sinks.failed.addEventListener('abort', onFault, { once: true });
  if (sinks.failed.aborted) onFault();
  try {
    const spoken = 'media' in leg ? options.openSpokenLeg(leg, options.plan.listening) : leg;
    return await converse({ ...options, leg: spoken });
  } finally {
    sinks.failed.removeEventListener('abort', onFault);
    // Whatever happened, nobody is left on an open line.
    await within(leg.hangUp(), TEARDOWN_MS, options.clock);
  }
}

async function converse(options: RunConversationOptions & { leg: SpokenLeg }): Promise<ConversationResult> {
  const { leg, sinks, signal, log, clock } = options;
  const { plan, reports } = settleSettings(options);
  const recorder = createCallRecorder(
    (error) => log.error({ callId: plan.callId, err: error }, 'The call could not be recorded'),
    options.recordingPath,
  );
  const outcome: Outcome = { appointment: null, callback: null };
  const { supervision = createSupervision(NOBODY) } = options;
  const latencies = createLatencies(leg.clock);
  const session = createCallSession({
    ...options,
    plan,
    recorder,
    latencies,
    supervision,
    onAnswered: () => {
      for (const [type, data] of reports) sinks.event(type, data);
    },
    onAgentSaid: (text) => brain.noteAgentSaid(text),
  });
  const tools = createToolExecutor({
    plan,
    now: () => new Date(plan.startedAt.getTime() + session.elapsedMs()),
    searchKnowledge: options.searchKnowledge,
    outcome,
    sendDigits: leg.sendDigits,
    elapsedMs: session.elapsedMs,
    store: (use) => sinks.toolUse(use),
    log,
  });
  const brain = createBrain({ ...options, plan }, tools, latencies);
  try {
    if (plan.direction === 'INBOUND') answer(leg, log);
    const message = voicemailMessage(plan);
    const end = await runTurns({ session, supervision, brain, tools, message, clock, signal });
    if ((await within(sinks.flush(), STORE_MS, clock)) === 'late')
      throw new Error('What happened on the call was not stored in time');
    if (!end.answered) {
      await within(recorder.discard(), TEARDOWN_MS, clock);
      return unanswered(reasonOf(end, signal));
    }
    const durationMs = Math.round(end.hangup ? end.hangup.atMs - end.answered.atMs : session.elapsedMs());
    return {
      ...connectedWith(end, end.answered),
      durationMs,
      ...outcome,
      ...describeEnd(end, session.hasHumanSpoken()),
      usage: { ...brain.usage, spokenMs: session.spokenMs() },
      recording: await finishRecording(recorder, durationMs, options),
    };
  } catch (error) {
    await within(recorder.discard(), TEARDOWN_MS, clock);
    throw error;
  } finally {
    supervision.end();
  }
}

function connectedWith(end: CallEnd, answered: NonNullable<CallEnd['answered']>) {
  return {
    connected: true,
    neverConnectedReason: null,
    answeredBy: end.voicemail ? 'machine' : answered.by,
    voicemail: end.voicemail,
    ...(end.recordedMessage && !end.voicemail ? { recordedMessage: end.recordedMessage } : {}),
    transferredTo: end.transferredTo,
  } as const;
}

const NOBODY = { words: () => undefined, sound: () => undefined };

/** The end of a call does not wait for a disk that hangs. */
async function finishRecording(
  recorder: CallRecorder,
  durationMs: number,
  { clock, plan, log }: Pick<RunConversationOptions, 'clock' | 'plan' | 'log'>,
): Promise<ConversationResult['recording']> {
  const recording = await within(recorder.finish(durationMs), TEARDOWN_MS, clock);
  if (recording !== 'late') return recording;
  log.error({ callId: plan.callId }, 'The recording was not finished in time');
  void recorder.discard().catch(() => undefined);
  return null;
}

function createBrain(options: RunConversationOptions, tools: ToolExecutor, latencies: Latencies): Brain {
  const { plan, leg, languageModel, fallbackModel, sinks } = options;
  if (!languageModel) return createLocalBrain({ plan, tools, whileThinking: options.whileThinking });
  return createModelBrain({
    plan,
    model: latencies.watch(languageModel),
    fallback: fallbackModel && latencies.watch(fallbackModel),
    tools,
    clock: leg.clock,
    onFailure: (failure) => sinks.event('model_failed', failure),
  });
}

/** Takes a call that came in. Its `answered` event follows, or it is hung up. */
function answer(leg: SpokenLeg, log: Logger): void {
  leg.answer().catch((error: unknown) => {
    log.error({ callId: leg.reference, err: error }, 'The call could not be answered');
    return leg.hangUp();
  });
}

/** The plan with a voice that exists, and what is to be told of every setting that cannot be followed. */
function settleSettings({ plan, voices }: RunConversationOptions) {
  const { voiceId, integrationIds } = plan;
  // No integration exists yet: an id that is kept for later must not look as if it worked.
  const reports: Parameters<CallSinks['event']>[] = integrationIds.map((integrationId) => [
    'integration_unknown',
    { integrationId },
  ]);
  if (voiceId === null || voices.some((voice) => voice.id === voiceId)) return { plan, reports };
  reports.push(['voice_unknown', { voiceId, usedVoiceId: voices[0]?.id ?? null }]);
  return { plan: { ...plan, voiceId: null }, reports };
}

function reasonOf(end: CallEnd, signal: AbortSignal): string {
  if (end.neverConnected) return end.neverConnected;
  if (!end.hangup) return 'network_failure';
  return signal.aborted ? 'shutdown' : 'cancelled';
}

const NEVER_CONNECTED: Record<string, string> = {
  no_answer: 'Nobody answered.',
  busy: 'The line was busy.',
  network_failure: 'The call could not be connected.',
  rejected: 'The call was rejected.',
  shutdown: 'The service stopped before the call was answered.',
  cancelled: 'The call was cancelled before it was answered.',
};

function unanswered(reason: string): ConversationResult {
  const endReason = NEVER_CONNECTED[reason] ?? 'The call could not be connected.';
  return { ...neverConnected(reason, endReason), recording: null };
}
