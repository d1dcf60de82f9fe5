/** What both sides of the bench are given: the same callers, words, delays and limits. */

/** Said by callers one after the other; no pauses inside, so that every side finds the same ends of turns. */
export const CALLER_SENTENCES = [
  'I would like to make an appointment for next Tuesday.',
  'Do you have something in the afternoon.',
  'I can come at four or at five o clock.',
  'What does a check up cost without insurance.',
  'Please send me a reminder one day before.',
  'I also need to bring my little daughter along.',
] as const;
/** Each fourth time the caller does not wait for the end of the answer. */
export const INTERRUPTING_SENTENCE = 'Wait please that is not what I meant at all.';
export const INTERRUPTS_EACH = 4;
export const OPENING = 'Hello, this is Mia from Alpha Dental. What can I do for you?';
export const ANSWER = ['Of course, I can help you with that.', 'Would Thursday at ten suit you?'] as const;

/** The same for both sides: how long there must be silence, and how long speech over the agent. */
export const SILENCE_ENDS_TURN_MS = 300;
export const SPEECH_INTERRUPTS_MS = 500;

/** Speech of a caller with its words; sample 0 is the first that sounds, the last sample the last. */
export type Saying = { text: string; samples: Int16Array };
export type Sounds = { caller: Saying[]; interruption: Saying; agent: Saying[] };

/** How a file of sounds is laid out: what was said, and how many samples of 16 bit it takes, one after the other. */
export type SoundsIndex = {
  said: { part: 'caller' | 'interruption' | 'agent'; text: string; count: number }[];
};

export function readSounds(bytes: Buffer, { said }: SoundsIndex): Sounds {
  const sounds: { caller: Saying[]; interruption: Saying[]; agent: Saying[] } = {
    caller: [],
    interruption: [],
    agent: [],
  };
  let at = 0;
  for (const { part, text, count } of said) {
    const samples = new Int16Array(new Uint8Array(bytes.subarray(at, at + count * 2)).buffer);
    at += count * 2;
    sounds[part].push({ text, samples });
  }
  const [interruption] = sounds.interruption;
  if (!interruption) throw new Error('the file of sounds has no interruption');
  return { ...sounds, interruption };
}

/** What a side reports when its time is over. */
export type SideReport = {
  calls: number;
  /** From a caller's last sample to the agent's first, by sentence. */
  turns: { sentence: string; delayMs: number }[];
  /** Turns that nobody answered within five seconds. */
  lost: number;
  /** From the first sample of an interruption to the agent's last. */
  silentAfterMs: number[];
  /** Interruptions over which the agent went on talking. */
  talkedOver: number;
  /** Share of a core while it was measured. */
  core: number;
  rssBytes: number;
  /** What is left after a collection: objects, and the memory outside of V8's heap. */
  heapBytes: number;
};
