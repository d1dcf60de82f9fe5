import type { ListeningOptions } from './speech.ts';

/** How somebody behaves on a call, besides what they say. */
export const PERSON_MANNERS = ['patient', 'interrupts', 'silent', 'hangs_up'] as const;
export type PersonManner = (typeof PERSON_MANNERS)[number];

/** A person who is played on a call: what they say and know, or who they are, for a language model. */
export type SimulatedPerson = {
  /** `model`: a language model plays them from the description. */
  playedBy: 'script' | 'model';
  description: string;
  manner: PersonManner;
  /** Said in order, one line a turn. One with `when` is said once, when the agent's last words mention that. */
  script: { say: string; when: string | null }[];
  /** Told when the agent asks about it. Alternatives of `about` stand beside `|`. */
  facts: { about: string; answer: string }[];
  /** Said when there is nothing more to say; they then hang up. */
  closing: string;
};

/** A call with a person who is played. Its time is virtual. */
export type PlayedCall = {
  reference: string;
  person: SimulatedPerson;
  /** The person calls the agent; else they are called. */
  isInbound: boolean;
  /** Both really speak, and the agent has to hear the person; else the call is of words alone, which take the time of speech. */
  hasSound: boolean;
  /** How the agent listens: its language is the person's. */
  listening: ListeningOptions;
  /** The agent's; the person speaks with another one. */
  voiceId: string | null;
};

/** Told of a call with sound when it is over: a `HeardPerson`. */
export const PERSON_HEARD = 'person.heard';

/** One text of a person, in milliseconds since the answer. */
export type SaidLine = { text: string; startedMs: number; endedMs: number };

/** `model`: what made words of the person's sound; null: nothing here could, and the words arrived as they are written. */
export type HeardPerson = { model: string | null; said: SaidLine[] };
