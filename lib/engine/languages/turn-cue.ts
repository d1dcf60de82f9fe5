/** Answers that people give in pieces. The first one that a question asks for counts. */
export const ANSWER_KINDS = ['email', 'number', 'name', 'date', 'address'] as const;
export type AnswerKind = (typeof ANSWER_KINDS)[number];

/**
 * What in somebody's words tells whether more will come, in one language. Data only, lower case, separated by spaces;
 * `asksFor` by commas.
 */
export type TurnCues = {
  /** Said while thinking: whoever ends with one goes on. */
  fillers: string;
  /** No sentence ends with these: conjunctions, articles, possessives. */
  unfinished: string;
  /** A sentence may end with these, but mostly goes on: prepositions, auxiliaries, pronouns. */
  perhapsUnfinished: string;
  /** Parts of the agent's question that show what it asks for; with a space in front, only where a word begins. */
  asksFor: Record<AnswerKind, string>;
  /** Digits in words, for numbers that are dictated. */
  digits: string;
  /** How the @ and the dot of an address are dictated. */
  spelledAddress: { at: string; dot: string };
  /** The language is written without spaces: the ends of texts are compared, not words. */
  hasNoSpaces?: true;
};
