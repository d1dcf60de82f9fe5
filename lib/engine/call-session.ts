import type { Logger } from '#lib/log.ts';
import type { Leg, LegEvent } from '#lib/ports/carrier.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { type AgentReply, beginReply } from './agent-speech.ts';
import type { CallRecorder } from './call-recorder.ts';
import type { CallPlan, CallSinks } from './plan.ts';

/** An answered call: what a conversation and a voicemail message have in common. Times count from the answer. */
export type CallSession = {
  readonly plan: CallPlan;
  readonly leg: Leg;
  readonly log: Logger;
  readonly sinks: CallSinks;
  readonly recorder: CallRecorder;
  elapsedMs(): number;
  /** Begins to speak; the turn is stored when it ends. */
  beginReply(handlers: {
    onAudible?(): void;
    onFinished?(): void;
    onFailed?(error: unknown): void;
  }): AgentReply;
  /** Records and stores what the person said. */
  storeUtterance(event: Extract<LegEvent, { type: 'utterance' }>): Promise<void>;
  storeBeep(event: Extract<LegEvent, { type: 'beep' }>): Promise<void>;
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
  answeredAtMs: number;
  onAgentSaid(text: string): void;
};

export function createCallSession(options: CallSessionOptions): CallSession {
  const { plan, leg, sinks, recorder, answeredAtMs, speech } = options;
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
        async onTurn(turn) {
          spokenMs += turn.endedMs - turn.startedMs;
          await sinks.turn(turn);
          options.onAgentSaid(turn.text);
        },
        onAudible: () => handlers.onAudible?.(),
        onFinished: () => handlers.onFinished?.(),
        onFailed: (error) => handlers.onFailed?.(error),
      }),
    async storeUtterance(event) {
      const startedMs = event.startedAtMs - answeredAtMs;
      await leg.clock.during(recorder.write('human', event.audio, startedMs));
      if (event.text.trim() === '') return;
      hasHumanSpoken = true;
      await sinks.turn({
        seq: nextSeq(),
        speaker: 'human',
        text: event.text,
        intendedText: null,
        startedMs: Math.round(startedMs),
        endedMs: Math.round(event.endedAtMs - answeredAtMs),
        interrupted: false,
      });
    },
    async storeBeep({ atMs, audio }) {
      if (!audio) return;
      await leg.clock.during(recorder.write('human', audio, atMs - answeredAtMs - audio.samples.length / 16));
    },
  };
}
