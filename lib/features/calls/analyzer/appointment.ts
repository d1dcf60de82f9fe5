import { findSpokenMoment } from '#lib/engine/brain/local/spoken-moment.ts';
import { readEnglish } from '#lib/text/english.ts';
import { agentActs, humanActs, saysNo, saysYes } from './acts.ts';

type Turn = { speaker: 'agent' | 'human'; text: string };

/** Only whether a day and a time were said is read here, not which: any moment serves as today. */
const ANY_DAY = new Date('2026-01-05T12:00:00.000Z');
/** What exists already is not agreed on anew. */
const EXISTING =
  /\b(?:your|the|an|my) (?:\w+ )?(?:appointment|booking|reservation|visit|meeting|table|viewing|treatment) (?:is |was )?(?:on|for|at|tomorrow|today|this|next)\b|\b(?:remind|reminder|confirm your|cancel)/i;
/** Opening hours hold days and times too. */
const IS_OPEN = /\b(?:open|opens|opening|closed|closes|hours are|from .{1,20} (?:to|until|till) )/i;
/** "Do you have a minute?" is a moment too, counted from now. */
const NAMES_DAY =
  /\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tonight|tomorrow|january|february|march|april|may|june|july|august|september|october|november|december|\d+(?:st|nd|rd|th)|\d+[./]\d+|the \w+(?:st|nd|rd|th))\b/i;
const OFFERED =
  /\b(?:(?:can|could) (?:offer|do|see|give|fit)|how about|free (?:on|at)|available (?:on|at)|let's say|suggest|would be)\b/i;
const HEDGED =
  /\b(?:maybe|perhaps|might|possibly|not sure|i think|probably|would have to|have to (?:ask|check|see)|let me|if)\b/i;

/**
 * The sentence in which both sides agreed on a definite day and time, without the tool having been used; undefined
 * where they did not: a time that only one side named, a maybe, a refusal, a booking that failed afterwards.
 */
export function agreedInWords(turns: readonly Turn[]): string | undefined {
  let agreed: string | undefined;
  for (const [index, turn] of turns.entries()) {
    if (turn.speaker === 'agent' && isTakenBack(turn.text)) agreed = undefined;
    if (turn.speaker === 'human' && agreed !== undefined && isRejected(turn.text)) agreed = undefined;
    agreed = agreementAt(turns, index) ?? agreed;
  }
  return agreed;
}

function agreementAt(turns: readonly Turn[], index: number): string | undefined {
  const turn = turns[index];
  const before = turns[index - 1];
  if (!turn || !before || turn.speaker === before.speaker) return undefined;
  if (turn.speaker === 'human') {
    if (!saysYes(turn.text) || HEDGED.test(turn.text)) return undefined;
    const question = readEnglish(before.text).at(-1)?.text ?? '';
    const isAsked = question.endsWith('?') && !agentActs(question).has('offersMore');
    return sentenceWithMoment(
      before.text,
      (sentence) =>
        !EXISTING.test(sentence) &&
        !IS_OPEN.test(sentence) &&
        (isAsked || OFFERED.test(sentence) || agentActs(sentence).has('books')),
    );
  }
  const proposed = turns.slice(0, index).filter(({ speaker }) => speaker === 'human');
  if (isTakenBack(turn.text) || !isWanted(proposed)) return undefined;
  const booked = agentActs(turn.text).has('books') || saysYes(turn.text);
  if (!booked || turn.text.trim().endsWith('?')) return undefined;
  const fits = (sentence: string) => !IS_OPEN.test(sentence);
  const named = sentenceWithMoment(turn.text, fits) ?? sentenceWithMoment(before.text, fits);
  const next = turns[index + 1];
  return named !== undefined && !(next && isRejected(next.text)) ? named : undefined;
}

/** The person said a day or a time of their own accord, or yes to one, and not only a maybe. */
function isWanted(said: readonly Turn[]): boolean {
  const last = said.findLast(({ text }) => momentIn(text) !== undefined);
  return (
    last !== undefined &&
    !HEDGED.test(last.text) &&
    !saysNo(last.text) &&
    !humanActs(last.text).has('cancels')
  );
}

function sentenceWithMoment(text: string, fits: (sentence: string) => boolean): string | undefined {
  return readEnglish(text)
    .map((sentence) => sentence.text)
    .findLast((sentence) => isDefinite(sentence) && fits(sentence));
}

function isDefinite(text: string): boolean {
  const moment = momentIn(text);
  return moment?.date !== undefined && moment.time !== undefined && NAMES_DAY.test(text);
}

function momentIn(text: string) {
  return findSpokenMoment(text, ANY_DAY, 'UTC');
}

function isTakenBack(text: string): boolean {
  const acts = agentActs(text);
  return (
    acts.has('cannotDo') ||
    acts.has('cancelled') ||
    /\b(?:closed|not open|fully booked|no longer free|already taken)\b/i.test(text)
  );
}

function isRejected(text: string): boolean {
  return (
    saysNo(text) ||
    humanActs(text).has('cancels') ||
    /\b(?:didn't|did not) (?:ask|agree|want)\b|\bforget it\b|\bi (?:can't|cannot)[,.]|\b(?:doesn't|does not|won't) (?:work|suit)\b/i.test(
      text,
    )
  );
}
