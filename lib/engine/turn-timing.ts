/** The turn machine's times, in milliseconds of the call clock. */
export const TURN_TIMING = {
  /** Speech this long over the agent is meant as an interruption; shorter is a cough or an "uh-huh". */
  bargeInMs: 500,
  /** Speech has ended and listening still does not say what it was: the conversation goes on as after a noise. */
  noWordsMs: 3_000,
  /** Where the turn ends this soon, most people have said all they wanted: the answer is begun at once. */
  prepareWithinMs: 1_000,
  /** The agent said it is about to hang up: the line closes at the latest after this. */
  closingLimitMs: 15_000,
  /** At a shutdown of the service the goodbye has to be short. */
  shutdownLimitMs: 4_000,
  /** A greeting longer than this without a beep is no voicemail that takes messages. */
  beepLimitMs: 45_000,
  /** After the greeting, a beep comes within this time or not at all. */
  afterGreetingMs: 10_000,
  messageLimitMs: 60_000,
  /** A person who put the call on hold and forgot it keeps the line no longer. */
  holdLimitMs: 10 * 60_000,
  /** A person who hears what a key does needs so long to press it. */
  keyLimitMs: 8_000,
  /** A message is over when nothing is said for so long, or was never begun. */
  messageSilenceMs: 6_000,
  takenMessageLimitMs: 3 * 60_000,
  /** Between two keys of one number; `#` ends it at once. */
  nextDigitMs: 2_000,
} as const;

const FINISHED_SENTENCE = /[.!?]["')]*$/;
const UNFINISHED =
  /(?:,|\b(?:and|but|or|so|because|um|uh|erm|well|the|a|an|to|of|my|is|at|on|for|with|if|that))[.…]*$/i;

/**
 * How long to wait after an utterance before it counts as the end of the person's turn: short where the sentence is
 * complete, longer where it trails off ("I was wondering, um").
 */
export function endOfTurnDelayMs(utterance: string): number {
  const text = utterance.trim();
  if (text === '') return 300;
  if (UNFINISHED.test(text)) return 2_500;
  return FINISHED_SENTENCE.test(text) ? 300 : 500;
}
