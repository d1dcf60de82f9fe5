/** Mono signed 16-bit PCM. Everything inside the service runs at 16 kHz; carriers resample at their edge. */
export type Pcm = { samples: Int16Array; sampleRateHz: 16_000 };

export type SpeechSynthesizer = {
  /** Ids a person may choose as an agent's `voiceId`, first one the default. */
  readonly voices: readonly { id: string; label: string; language: string }[];
  /** Speaks `text`. An unknown voice falls back to the default one. */
  synthesize(request: {
    text: string;
    voiceId: string | null;
    language: string | null;
    signal?: AbortSignal;
  }): Promise<Pcm>;
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
