/**
 * Everything fixed that an agent says in one language, formally addressed and without a gender of its own. Data only:
 * a plan carries it into the process that runs the call. `{…}` is filled in by `fillIn`.
 */
export type Language = {
  /** Said when no word of an answer came for a moment; the second one when it takes longer still. */
  filler: { first: string; second: string };
  /** Asks whether anybody is there. */
  reprompt: Record<'calm' | 'warm' | 'professional', string>;
  /** The last words of a call that has to end, by its reason. */
  closing: Record<'silence' | 'max_duration' | 'usage_limit' | 'shutdown' | 'failed', string>;
  farewell: string;
  handover: string;
  /** Said before a hand-over that only technical trouble makes necessary. */
  failedHandover: string;
  transferFailed: string;
  /** Said to whom a call is to be handed: who calls (`{business}`), what about (`{words}`), how the call is taken. */
  consult: { caller: string; subject: string; accept: string };
  /** The model's provider withheld the answer. */
  cannotAnswer: string;
  /** The model gave nothing that can be said; the call goes on. */
  sayAgain: string;
  /** Asked in the middle of a long answer. */
  shallIGoOn: string;
  voicemail: {
    /** With `{persona}` and `{business}`; with `{business}` alone. */
    introduction: { named: string; unnamed: string };
    missed: string;
    callBack: string;
  };
  /** For a person who cannot be understood, and can press keys. */
  keypad: {
    cannotUnderstand: string;
    leaveMessage: string;
    transfer: string;
    afterTone: string;
    thanks: string;
  };
  /** What is said first where a prompt gives no opening; `{name}` is whom the agent calls. */
  opening: {
    inbound: { named: string; unnamed: string };
    outbound: { named: string; unnamed: string; namedTo: string; unnamedTo: string };
  };
  /** With `{business}`. */
  aiDisclosure: string;
  /** Said before the opening where the workspace wants it, and has no text of its own. */
  recordingAnnouncement: string;
  /** How a prompt calls the person whose name is not known. */
  person: string;
  /** How addresses are said: anna.smith@example.com, example.com/book. */
  spelling: Record<'at' | 'dot' | 'slash' | 'dash' | 'underscore', string>;
  /** Between two names, and between two numbers: 9 to 17. */
  between: Record<'and' | 'to', string>;
  /** Small words of somebody who listens, lower case, without punctuation; they do not ask the agent to stop. */
  backchannels: readonly string[];
};

/** The language of a call: BCP 47, and what is said in it. */
export type SpokenLanguage = { code: string; lines: Language };

/** Puts values in place of `{…}`; a value is never searched for further placeholders. */
export function fillIn(line: string, values: Record<string, string>): string {
  return line.replace(/\{(\w+)\}/g, (placeholder, name: string) => values[name] ?? placeholder);
}
