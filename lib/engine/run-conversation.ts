import type { Logger } from '#lib/log.ts';
import type { Leg, MediaLeg, SpokenLeg } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Ids } from '#lib/ports/ids.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { RealtimeModel } from '#lib/ports/realtime.ts';
import type { ListeningOptions, SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Brain } from './brain/brain.ts';
import { createLocalBrain, type WhileThinking } from './brain/local/local-brain.ts';
import type { AttemptFailure } from './brain/model-attempts.ts';
import { createModelBrain } from './brain/model-brain.ts';
import type { ModelHistory } from './brain/model-history.ts';
import { createCallSession } from './call-session.ts';
import { type CallRecorder, createCallRecorder } from './call-recorder.ts';
import { type CallEnd, runTurns } from './conversation.ts';
import { describeEnd, describeUnanswered } from './describe-end.ts';
import { createHandOver, type ReachColleague } from './hand-over/hand-over.ts';
import { createLatencies, type Latencies } from './latency.ts';
import type { CallPlan, CallSinks, ConversationResult, KnowledgeHit, UseWorkspaceTool } from './plan.ts';
import { openRealtimeCall, type RealtimeCall } from './realtime/realtime-call.ts';
import type { KeptLines } from './realtime/voice.ts';
import { createSupervision, type Supervision } from './supervision.ts';
import type { Outcome } from './tools/tool.ts';
import { createToolExecutor, type ToolExecutor } from './tools/tool-executor.ts';
import { voicemailMessage } from './voicemail-message.ts';
import { within } from './within.ts';

/** Each step of the end of a call may take this long by itself; what was posted longer, since it must not be lost. */
const TEARDOWN_MS = 5_000;
const STORE_MS = 30_000;

/** Makes words of the sound of a leg, and sound of words. */
export type OpenSpokenLeg = (
  leg: MediaLeg,
  listening: ListeningOptions,
  /** Of a call on which one model hears and speaks. */
  realtime?: Pick<RealtimeCall, 'hear' | 'speak'>,
) => SpokenLeg;

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
  /**
   * Hears and speaks by itself on legs that carry sound; `languageModel` answers where it fails. A simulated person, who
   * neither hears nor speaks, talks to `languageModel`.
   */
  realtime?: { model: RealtimeModel; kept: KeptLines } | undefined;
  searchKnowledge: (query: string) => Promise<KnowledgeHit[]>;
  useWorkspaceTool: UseWorkspaceTool;
  /** Awaits what the local brain decides; call time that is not real may stand still meanwhile. */
  whileThinking?: WhileThinking | undefined;
  sinks: CallSinks;
  /** Real time, for what the end of a call waits for; call time may run faster. */
  clock: Clock;
  ids: Ids;
  /** See `createCallRecorder`. */
  recordingPath?: string | undefined;
  log: Logger;
  /** Calls somebody whom the call is handed to; left out: the carrier hands it over by itself. */
  reachColleague?: ReachColleague | undefined;
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
  const over = new AbortController();
  sinks.failed.addEventListener('abort', onFault, { once: true });
  if (sinks.failed.aborted) onFault();
  try {
    if (!('media' in leg)) return await converse({ ...options, leg });
    const { plan, realtime } = options;
    const call = realtime && openRealtimeCall({ ...realtime, plan, leg, signal: over.signal });
    const spoken = options.openSpokenLeg(leg, plan.listening, call);
    return await converse({ ...options, leg: spoken, call });
  } finally {
    over.abort(new Error('The call is over'));
    sinks.failed.removeEventListener('abort', onFault);
    // Whatever happened, nobody is left on an open line.
    await within(leg.hangUp(), TEARDOWN_MS, options.clock);
  }
}

/** `call`: of one on which a model hears and speaks. */
type Conversing = RunConversationOptions & { leg: SpokenLeg; call?: RealtimeCall | undefined };

async function converse(options: Conversing): Promise<ConversationResult> {
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
    useWorkspaceTool: options.useWorkspaceTool,
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
    const handOver = createHandOver({ ...options, plan, lastWords: session.lastWords });
    const end = await runTurns({ session, supervision, brain, tools, message, handOver, clock, signal });
    if ((await within(sinks.flush(), STORE_MS, clock)) === 'late')
      throw new Error('What happened on the call was not stored in time');
    if (!end.answered) {
      await within(recorder.discard(), TEARDOWN_MS, clock);
      return { ...describeUnanswered(end, signal.aborted), recording: null };
    }
    const durationMs = Math.round(end.hangup ? end.hangup.atMs - end.answered.atMs : session.elapsedMs());
    return {
      ...connectedWith(end, end.answered),
      durationMs,
      ...outcome,
      ...describeEnd(end, session.person()),
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

function createBrain(options: Conversing, tools: ToolExecutor, latencies: Latencies): Brain {
  const { plan, leg, call, languageModel, fallbackModel, sinks } = options;
  const { clock } = leg;
  const onFailure = (failure: AttemptFailure) => sinks.event('model_failed', failure);
  const askModel = (model: LanguageModel, history?: ModelHistory) =>
    createModelBrain({
      plan,
      model: latencies.watch(model),
      fallback: fallbackModel && latencies.watch(fallbackModel),
      tools,
      clock,
      onFailure,
      ...(history ? { history } : {}),
    });
  const createOther =
    languageModel &&
    ((history: ModelHistory) => ({ brain: askModel(languageModel, history), model: languageModel.model }));
  if (call) return call.think({ clock, latencies, createOther, onFailure });
  if (languageModel) return askModel(languageModel);
  return createLocalBrain({ plan, tools, whileThinking: options.whileThinking });
}

/** Takes a call that came in. Its `answered` event follows, or it is hung up. */
function answer(leg: SpokenLeg, log: Logger): void {
  leg.answer().catch((error: unknown) => {
    log.error({ callId: leg.reference, err: error }, 'The call could not be answered');
    return leg.hangUp();
  });
}

/** The plan with a voice that exists, and what is to be told of every setting that cannot be followed. */
function settleSettings({ plan, voices, call, realtime, log }: Conversing) {
  const { callId, voiceId, missingIntegrations } = plan;
  const { missingForOpening } = plan.prompt;
  // An id that is kept for later must not look as if it worked.
  const reports: Parameters<CallSinks['event']>[] = missingIntegrations.map(({ integrationId, reason }) => [
    `integration_${reason}`,
    { integrationId },
  ]);
  if (missingForOpening.length > 0) {
    log.warn({ event: 'opening_replaced', callId, missing: missingForOpening });
    reports.push(['opening_replaced', { missing: missingForOpening.join(', ') }]);
  }
  const isAmong = (known: SpeechSynthesizer['voices']) => known.some((voice) => voice.id === voiceId);
  const used = call && realtime ? realtime.model.voices : voices;
  if (voiceId === null || isAmong(used)) return { plan, reports };
  reports.push(['voice_unknown', { voiceId, usedVoiceId: used[0]?.id ?? null }]);
  return { plan: { ...plan, voiceId: isAmong(voices) ? voiceId : null }, reports };
}
