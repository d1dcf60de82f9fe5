import type { CallClock } from '#lib/ports/clock.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';

/** How long the parts of an answer took, in milliseconds of the call clock; null where a part did not happen. */
export type TurnTimings = {
  /** From the person's last sound to its words. */
  transcriptionMs: number;
  /** From the person's last sound to the decision that the turn is over. */
  endOfTurnMs: number;
  /** From the question to the language model to its first word; may begin before the turn is over. */
  firstTokenMs: number | null;
  /** From the first words that were handed to the voice to their first sound. */
  firstAudioMs: number;
  /** From the person's last sound to the agent's first. */
  totalMs: number;
};

export type Latencies = {
  /** The words of an utterance are known now. */
  heard(speechEndedAtMs: number): void;
  /** The person's turn is over now: its answer is the next thing that the agent says. */
  turnEnded(): void;
  /** The timings of the answer that became audible, once for each turn of the person. */
  take(answer: { handedOverAtMs: number; startedAtMs: number }): TurnTimings | null;
  /** A model's first word or sound is there now. */
  answered(askedAtMs: number): void;
  /** The same model, whose first words are noted. */
  watch(model: LanguageModel): LanguageModel;
};

/** Measures how long a person waits for an answer, and for which part of it. */
export function createLatencies(clock: Pick<CallClock, 'nowMs'>): Latencies {
  let person: { speechEndedAtMs: number; transcribedAtMs: number; turnEndedAtMs?: number } | undefined;
  let token: { askedAtMs: number; firstAtMs: number } | undefined;

  return {
    heard(speechEndedAtMs) {
      person = { speechEndedAtMs, transcribedAtMs: clock.nowMs() };
    },
    turnEnded() {
      if (person) person.turnEndedAtMs = clock.nowMs();
    },
    take({ handedOverAtMs, startedAtMs }) {
      if (person?.turnEndedAtMs === undefined || startedAtMs < person.turnEndedAtMs) return null;
      const { speechEndedAtMs, transcribedAtMs, turnEndedAtMs } = person;
      const isItsOwn = token !== undefined && token.firstAtMs >= speechEndedAtMs;
      person = undefined;
      return {
        transcriptionMs: between(speechEndedAtMs, transcribedAtMs),
        endOfTurnMs: between(speechEndedAtMs, turnEndedAtMs),
        firstTokenMs: isItsOwn && token ? between(token.askedAtMs, token.firstAtMs) : null,
        firstAudioMs: between(handedOverAtMs, startedAtMs),
        totalMs: between(speechEndedAtMs, startedAtMs),
      };
    },
    answered(askedAtMs) {
      token = { askedAtMs, firstAtMs: clock.nowMs() };
    },
    watch: (model) => ({
      ...model,
      async *respond(request) {
        const askedAtMs = clock.nowMs();
        let isFirst = true;
        for await (const event of model.respond(request)) {
          if (isFirst && event.type === 'text') {
            token = { askedAtMs, firstAtMs: clock.nowMs() };
            isFirst = false;
          }
          yield event;
        }
      },
    }),
  };
}

const between = (fromMs: number, toMs: number) => Math.max(0, Math.round(toMs - fromMs));
