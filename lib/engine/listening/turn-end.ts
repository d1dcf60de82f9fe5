import type { AnswerKind, TurnCues } from '#lib/engine/languages/turn-cue.ts';
import { turnCuesOf } from '#lib/engine/languages/turn-cues.ts';
import { askedFor, countDigits, type Ending, endingOf, isWholeAddress } from './answer-shape.ts';

/** Silence after which a turn is over where nothing speaks for more; a speaker's own habit changes it. */
const USUAL_MS = 420;
const SHORTEST_MS = 320;
const LONGEST_USUAL_MS = 1_200;
/** A transcription that writes full stops wrote one. */
const SENTENCE_BONUS_MS = 100;

/** Waits by how the words end. A person who thinks aloud needs about two seconds; one more is not polite but slow. */
const WAIT_MS: Record<Exclude<Ending, 'open' | 'sentence' | 'digits'>, number> = {
  filler: 2_000,
  unfinished: 1_600,
  perhaps_unfinished: 900,
  spelled: 1_300,
  address_unfinished: 1_600,
};
/** Answers that people give in pieces, as long as they are not whole. */
const PIECES_MS: Record<AnswerKind, number> = {
  email: 1_600,
  number: 1_400,
  name: 700,
  date: 700,
  address: 900,
};
const NEARLY_WHOLE_NUMBER_MS = 900;
/** Nobody dictates much more than a phone number: from so many digits on it may be whole, from there on it is. */
const NEARLY_WHOLE_DIGITS = 7;
const WHOLE_DIGITS = 10;
/** A number that nobody asked for: the next group may follow. */
const UNASKED_DIGITS_MS = 900;

/** How many of the speaker's own pauses count, and how much longer than them is sure: noticing takes 100 ms. */
const PAUSES_KEPT = 8;
const SURE_MS = 250;
/** A longer silence is no pause of somebody who speaks. */
const LONGEST_PAUSE_MS = 3_000;

export type TurnEnd = {
  agentSaid(text: string): void;
  /** The person was silent for `ms` and went on. */
  wentOnAfter(ms: number): void;
  /** How long a silence after `text` has to be before it is the end of the turn. `language`: what was spoken. */
  waitMs(text: string, language?: string): number;
};

/**
 * Judges the end of a turn by what was asked, by how the words end and by how long this speaker's pauses are. Knows a
 * few cues of each language (lib/engine/languages/turn-cues.ts), needs none of them, and no punctuation.
 */
export function createTurnEnd(options: { language: string | null }): TurnEnd {
  let agentWords = '';
  const pauses: number[] = [];
  return {
    agentSaid(text) {
      agentWords = text;
    },
    wentOnAfter(ms) {
      if (ms > LONGEST_PAUSE_MS) return;
      pauses.push(ms);
      if (pauses.length > PAUSES_KEPT) pauses.shift();
    },
    waitMs(text, language) {
      const cues = turnCuesOf(language ?? options.language);
      const asked = askedFor(agentWords, cues);
      const usualMs = usualWaitMs(pauses);
      const askedMs = asked ? byQuestion(asked, text, cues) : 0;
      // A number that is whole is no beginning of a longer one.
      if (asked === 'number' && askedMs === 0) return usualMs;
      return Math.max(askedMs, byWords(endingOf(text, cues), usualMs));
    },
  };
}

function byWords(ending: Ending, usualMs: number): number {
  if (ending === 'open') return usualMs;
  // A full stop says that the words are whole; the speaker's habit still counts.
  if (ending === 'sentence') return Math.max(SHORTEST_MS, usualMs - SENTENCE_BONUS_MS);
  return Math.max(usualMs, ending === 'digits' ? UNASKED_DIGITS_MS : WAIT_MS[ending]);
}

function byQuestion(asked: AnswerKind, text: string, cues: TurnCues): number {
  if (asked === 'email') return isWholeAddress(text, cues) ? 0 : PIECES_MS.email;
  if (asked !== 'number') return PIECES_MS[asked];
  const digits = countDigits(text, cues);
  if (digits >= WHOLE_DIGITS) return 0;
  return digits >= NEARLY_WHOLE_DIGITS ? NEARLY_WHOLE_NUMBER_MS : PIECES_MS.number;
}

/** The usual wait, moved towards this speaker's longer pauses the more of them were heard. */
function usualWaitMs(pauses: readonly number[]): number {
  if (pauses.length === 0) return USUAL_MS;
  const sorted = pauses.toSorted((one, other) => one - other);
  const long = sorted[Math.floor(0.8 * (sorted.length - 1))] ?? 0;
  const trust = pauses.length / (pauses.length + 1);
  const own = USUAL_MS + (long + SURE_MS - USUAL_MS) * trust;
  return Math.round(Math.max(SHORTEST_MS, Math.min(LONGEST_USUAL_MS, own)));
}
