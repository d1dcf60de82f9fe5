import { canAnswer } from './questions.ts';

/** Why a person shakes their head at what the agent said. */
export type Objection = 'a heading' | 'said before' | 'no answer' | 'odd time';

export type Listener = {
  /** What is wrong with the agent's words; undefined where nothing is. `question` is the person's, if one is open. */
  objectionTo(text: string, question: string | undefined): Objection | undefined;
};

/** Signs of a text that was written to be looked at, or a title: a few words that are no sentence. */
const MARKUP = /(^|\s)#{1,6} |\*\*|^\s*[-*] |^[A-Z][\p{L}’' ]{2,40}$/mu;
/** Polite phrases are repeated by everybody. */
const MANNERS =
  /\b(this is|my name|anything else|thank|welcome|goodbye|bye|sorry|afraid|moment|of course|certainly|is that (right|correct)|still there|can't hear|booked|connect|colleague|name|call you back|take care|have a|repeat|understand|what is it about)\b/i;
const AT_NIGHT =
  /\b(?:1[01]|12|[1-5]|one|two|three|four|five|eleven|twelve)(?::\d\d)? ?(?:o'clock )?(?:at night|in the (?:night|early morning))\b|\b(?:1[01]|11|12):?\d* ?pm\b|\b[1-5](?::\d\d)? ?am\b|\bmidnight\b/i;
const MIN_WORDS = 6;

/** Follows one call: notices headings read aloud, sentences that come a second time, answers to something else. */
export function createListener(): Listener {
  const heard = new Set<string>();
  return {
    objectionTo(text, question) {
      const sentences = text.split(/(?<=[.!?])\s+/);
      const repeated = sentences.some((sentence) => heard.has(plain(sentence)));
      for (const sentence of sentences)
        if (sentence.split(/\s+/).length >= MIN_WORDS && !MANNERS.test(sentence)) heard.add(plain(sentence));
      if (MARKUP.test(text)) return 'a heading';
      if (repeated) return 'said before';
      if (AT_NIGHT.test(text) && !/\b(?:closed|open|emergency|until|from)\b/i.test(text)) return 'odd time';
      return question !== undefined && !canAnswer(question, text) ? 'no answer' : undefined;
    },
  };
}

function plain(sentence: string): string {
  return sentence
    .toLowerCase()
    .replace(/[^\p{L}\p{N} ]/gu, '')
    .trim();
}
