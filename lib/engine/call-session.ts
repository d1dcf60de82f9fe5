import type { Logger } from '#lib/log.ts';
import type { LegEvent, Speaking, SpokenLeg } from '#lib/ports/carrier.ts';
import { type AgentReply, beginReply } from './agent-speech.ts';
import type { ReplyPiece } from './brain/brain.ts';
import type { CallRecorder } from './call-recorder.ts';
import type { Latencies } from './latency.ts';
import type { CallPlan, CallSinks, TurnRecord } from './plan.ts';
import type { Supervision } from './supervision.ts';
import { describeDigits } from './turn-state.ts';

/** One call: what both sides say on it, recorded and stored. Times count from the answer. */
export type CallSession = {
  readonly plan: CallPlan;
  readonly leg: SpokenLeg;
  readonly log: Logger;
  readonly sinks: CallSinks;
  /** The call was answered. */
  begin(answer: Extract<LegEvent, { type: 'answered' }>): void;
  elapsedMs(): number;
  /** The person's turn is over, and its answer comes next. */
  turnEnded(): void;
  /** Begins to speak; the turn is stored when it ends. */
  beginReply(handlers: {
    onAudible?(): void;
    onFinished?(): void;
    onFailed?(error: unknown): void;
  }): AgentReply;
  /** Stores what the person said. */
  storeUtterance(event: Utterance): void;
  /** Puts what failed on the way of words into the call's history. */
  storeFailure(event: Failure): void;
  /** A key was pressed; its time counts for the turn that `storeDigits` stores. */
  noteDigit(event: Extract<LegEvent, { type: 'digit' }>): void;
  /** Stores the keys that the person pressed, as a turn of theirs. */
  storeDigits(digits: string): void;
  /** Milliseconds of agent speech that were heard. */
  spokenMs(): number;
  /** What became of the person's last words, if there were any. */
  person(): 'silent' | 'understood' | 'not_understood';
  /** What the person said last that was more than a word. */
  lastWords(): string | undefined;
};

/** "Yes please" says nothing of what a call is about. */
const FEWEST_WORDS = 4;

export type CallSessionOptions = {
  plan: CallPlan;
  leg: SpokenLeg;
  sinks: CallSinks;
  recorder: CallRecorder;
  latencies: Latencies;
  /** Whoever watches the call hears and reads it as it is spoken. */
  supervision: Supervision;
  log: Logger;
  onAnswered(): void;
  onAgentSaid(text: string): void;
};

type Utterance = Extract<LegEvent, { type: 'utterance' }>;
type Failure = Extract<
  LegEvent,
  { type: 'transcription_retried' | 'transcription_failed' | 'voice_replaced' | 'input_dropped' }
>;

export function createCallSession(options: CallSessionOptions): CallSession {
  const { plan, leg, sinks, latencies, supervision } = options;
  let answeredAtMs = 0;
  let isAnswered = false;
  let lastSeq = 0;
  let spokenMs = 0;
  let person: ReturnType<CallSession['person']> = 'silent';
  let lastWords: string | undefined;
  const nextSeq = () => (lastSeq += 1);

  // Ringing tones and announcements before the answer are no part of the conversation.
  leg.record((side, samples, atMs) => {
    // What came in before the answer may still be given after it.
    if (!isAnswered || atMs < answeredAtMs) return;
    options.recorder.write(side, samples, atMs - answeredAtMs);
    supervision.hears(side, samples, atMs);
  });

  const human = createHumanTurns(leg, ({ text, startedAtMs, endedAtMs, wordStartsMs }) => {
    person = 'understood';
    if (text.trim().split(/\s+/).length >= FEWEST_WORDS) lastWords = text.trim();
    latencies.heard(endedAtMs);
    supervision.said('human');
    sinks.turn({
      seq: nextSeq(),
      speaker: 'human',
      text,
      intendedText: null,
      startedMs: Math.round(startedAtMs - answeredAtMs),
      endedMs: Math.round(endedAtMs - answeredAtMs),
      interrupted: false,
      ...(wordStartsMs ? { wordStartsMs } : {}),
    });
  });

  return {
    plan,
    leg,
    log: options.log,
    sinks,
    begin({ atMs, by }) {
      answeredAtMs = atMs;
      isAnswered = true;
      sinks.answered(atMs, by);
      options.onAnswered();
    },
    elapsedMs: () => leg.clock.nowMs() - answeredAtMs,
    spokenMs: () => spokenMs,
    person: () => person,
    lastWords: () => lastWords,
    turnEnded: () => latencies.turnEnded(),
    beginReply(handlers) {
      const voice = createTimedVoice(options, answeredAtMs);
      return beginReply({
        leg,
        answeredAtMs,
        nextSeq,
        speak: voice.speak,
        onTurn(turn) {
          spokenMs += turn.endedMs - turn.startedMs;
          supervision.said('agent');
          sinks.turn(voice.withTimings(turn));
          options.onAgentSaid(turn.text);
        },
        onAudible: () => handlers.onAudible?.(),
        onFinished: () => handlers.onFinished?.(),
        onFailed: (error) => handlers.onFailed?.(error),
      });
    },
    storeFailure(event) {
      if (event.type === 'voice_replaced' || event.type === 'input_dropped')
        return sinks.event(event.type, { reason: event.reason });
      person = 'not_understood';
      const { type, model, kind, reason } = event;
      const afterMs = type === 'transcription_retried' ? { afterMs: event.afterMs } : {};
      return sinks.event(type, { model, kind, ...afterMs, reason });
    },
    ...human,
  };
}

/** Tells the words of what is audible now, and again when all of them are known. */
function followWords(what: ReplyPiece, { started, finished }: Speaking, tell: (text: string) => void): void {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  finished.then(end, end).catch(() => undefined);
  void started.then((atMs) => {
    if (atMs === undefined) return;
    if (typeof what === 'string') return tell(what);
    tell(what.text());
    void what.whole.then(() => {
      if (!isOver) tell(what.text());
    });
  });
}

/** Speaks one reply; the turn with which an answer becomes audible gets its timings. */
function createTimedVoice({ plan, leg, latencies, supervision }: CallSessionOptions, answeredAtMs: number) {
  let handedOverAtMs: number | undefined;
  let audible = '';
  return {
    speak(what: ReplyPiece): Speaking {
      handedOverAtMs ??= leg.clock.nowMs();
      const words = typeof what === 'string' ? { text: what } : { text: '', made: what };
      const speaking = leg.speak({ ...words, voiceId: plan.voiceId, language: plan.listening.language });
      followWords(what, speaking, (text) => {
        supervision.says({ speaker: 'agent', text: `${audible} ${text}`.trim() });
      });
      void speaking.finished.then(
        ({ heard }) => {
          audible = `${audible} ${heard}`.trim();
        },
        () => undefined,
      );
      return speaking;
    },
    withTimings(turn: TurnRecord): TurnRecord {
      audible = '';
      const startedAtMs = turn.startedMs + answeredAtMs;
      const timings = latencies.take({ handedOverAtMs: handedOverAtMs ?? startedAtMs, startedAtMs });
      return timings ? { ...turn, timings } : turn;
    },
  };
}

/** What the person says and presses, as turns; `store` gets times of the call clock. */
function createHumanTurns(
  leg: SpokenLeg,
  store: (said: Pick<Utterance, 'text' | 'startedAtMs' | 'endedAtMs' | 'wordStartsMs'>) => void,
): Pick<CallSession, 'storeUtterance' | 'noteDigit' | 'storeDigits'> {
  let pressed: { fromMs: number; toMs: number } | undefined;
  return {
    storeUtterance(said) {
      if (said.text.trim() !== '') store(said);
    },
    noteDigit({ atMs }) {
      pressed = { fromMs: pressed?.fromMs ?? atMs, toMs: atMs };
    },
    storeDigits(digits) {
      const { fromMs, toMs } = pressed ?? { fromMs: leg.clock.nowMs(), toMs: leg.clock.nowMs() };
      pressed = undefined;
      store({ text: describeDigits(digits), startedAtMs: fromMs, endedAtMs: toMs });
    },
  };
}
