/** Where a word lies in the speech of its text, counted from the beginning of the text. */
export type SpokenWord = { text: string; startMs: number; endMs: number };

/** A piece of speech: mono, signed 16 bit, 16 kHz. */
export type SpeechChunk = {
  /** Not to be changed: the synthesizer may give the same samples to the next who asks. */
  samples: Int16Array;
  /** Words that were not told before, where the provider tells their times; each once, in order. */
  words?: SpokenWord[];
};

/** Speech of which the words become known while it is made: a model's that speaks by itself. */
export type MadeSpeech = {
  /** The words that are known by now. */
  text(): string;
  /** Resolves when nothing more comes. Never rejects. */
  readonly whole: Promise<void>;
  /** Its sound, no more than a moment ahead of its playing. */
  sound(signal: AbortSignal): AsyncIterable<SpeechChunk>;
  /** It is not played any more: so much of its sound, and these words, were heard. Gives what is left to say, if anything is. */
  stop(heard: { text: string; ms: number }): MadeSpeech | undefined;
};

export type SynthesisRequest = {
  text: string;
  voiceId: string | null;
  language: string | null;
  signal?: AbortSignal;
  /** How soon somebody waits in silence for this text; asked as often as work is given out. Left out: now. */
  neededInMs?(): number;
  /** Another voice speaks than was asked for; `reason` is a sentence for a person. */
  onFallback?(reason: string): void;
};

export type SpeechSynthesizer = {
  /** Ids a person may choose as an agent's `voiceId`, first one the default. */
  readonly voices: readonly { id: string; label: string; language: string }[];
  /**
   * Speaks `text`, piece by piece as it is made; not begun before the first piece is asked for. An unknown voice falls
   * back to the default one. Throws `AppError('PROVIDER_FAILED')` when nothing useful comes, the signal's reason when
   * it aborts.
   */
  synthesize(request: SynthesisRequest): AsyncIterable<SpeechChunk>;
};

/** Settings of an agent that only live audio can use, handed to whoever listens. */
export type ListeningOptions = {
  /** Words the transcription should expect; empty when the agent's hints are off. */
  hints: string[];
  /** BCP 47 code, null = the provider's default. */
  language: string | null;
  isMultilingual: boolean;
  /** False: the person's speech never stops the agent. */
  hasBargeIn: boolean;
};
