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
  /** Both really speak; else the call is of words alone, which take the time of speech. */
  hasSound: boolean;
};
