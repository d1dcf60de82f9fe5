import type { Logger } from '#lib/log.ts';
import type { Leg, LegEvent } from '#lib/ports/carrier.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { type AgentReply, beginReply } from './agent-speech.ts';
import type { CallRecorder } from './call-recorder.ts';
import type { CallPlan, CallSinks } from './plan.ts';

/** One call: what both sides say on it, recorded and stored. Times count from the answer. */
export type CallSession = {
  readonly plan: CallPlan;
  readonly leg: Leg;
  readonly log: Logger;
  readonly sinks: CallSinks;
  readonly recorder: CallRecorder;
  /** The call was answered. */
  begin(answer: Extract<LegEvent, { type: 'answered' }>): void;
  elapsedMs(): number;
  /** Begins to speak; the turn is stored when it ends. */
  beginReply(handlers: {
    onAudible?(): void;
    onFinished?(): void;
    onFailed?(error: unknown): void;
  }): AgentReply;
  /** Records and stores what the person said. */
  storeUtterance(event: Extract<LegEvent, { type: 'utterance' }>): void;
  storeBeep(event: Extract<LegEvent, { type: 'beep' }>): void;
  /** Milliseconds of agent speech that were heard. */
  spokenMs(): number;
  hasHumanSpoken(): boolean;
};

export type CallSessionOptions = {
  plan: CallPlan;
  leg: Leg;
  speech: SpeechSynthesizer;
  sinks: CallSinks;
  recorder: CallRecorder;
  log: Logger;
  onAnswered(): void;
  onAgentSaid(text: string): void;
};

export function createCallSession(options: CallSessionOptions): CallSession {
  const { plan, leg, sinks, recorder, speech } = options;
  let answeredAtMs = 0;
  let lastSeq = 0;
  let spokenMs = 0;
  let hasHumanSpoken = false;
  const nextSeq = () => (lastSeq += 1);

  return {
    plan,
    leg,
    log: options.log,
    sinks,
    recorder,
    begin({ atMs, by }) {
      answeredAtMs = atMs;
      sinks.answered(atMs, by);
      options.onAnswered();
    },
    elapsedMs: () => leg.clock.nowMs() - answeredAtMs,
    spokenMs: () => spokenMs,
    hasHumanSpoken: () => hasHumanSpoken,
    beginReply: (handlers) =>
      beginReply({
        leg,
        recorder,
        answeredAtMs,
        nextSeq,
        synthesize: (text) =>
          speech.synthesize({ text, voiceId: plan.voiceId, language: plan.listening.language }),
        onTurn(turn) {
          spokenMs += turn.endedMs - turn.startedMs;
          sinks.turn(turn);
          options.onAgentSaid(turn.text);
        },
        onAudible: () => handlers.onAudible?.(),
        onFinished: () => handlers.onFinished?.(),
        onFailed: (error) => handlers.onFailed?.(error),
      }),
    storeUtterance(event) {
      const startedMs = event.startedAtMs - answeredAtMs;
      void recorder.write('human', event.audio, startedMs);
      if (event.text.trim() === '') return;
      hasHumanSpoken = true;
      sinks.turn({
        seq: nextSeq(),
        speaker: 'human',
        text: event.text,
        intendedText: null,
        startedMs: Math.round(startedMs),
        endedMs: Math.round(event.endedAtMs - answeredAtMs),
        interrupted: false,
      });
    },
    storeBeep({ atMs, audio }) {
      if (!audio) return;
      void recorder.write('human', audio, atMs - answeredAtMs - audio.samples.length / 16);
    },
  };
}
