import type { ListeningOptions, SpokenWord } from './speech.ts';

/** Turns speech into text while it is spoken. */
export type Transcriber = {
  /** Recorded with a call's latencies, e.g. `gpt-4o-mini-transcribe`. */
  readonly model: string;
  /**
   * Opens the transcription of one call, on its first answer. Never throws: what fails shows in a stretch's
   * `transcribe`. `signal` aborts when the call is over.
   */
  open(options: ListeningOptions & { signal: AbortSignal }): TranscriptionStream;
  /** The server is known to have no transcription at the moment: nobody listens then. Left out: never. */
  isMissing?(): boolean;
  /** Finds out where it is not known, within seconds. Never rejects. */
  find?(): Promise<void>;
};

export type TranscriptionStream = {
  /**
   * Begins a stretch of speech: what a person says until they are silent for long. One at a time; beginning another
   * ends the one before.
   */
  begin(onInterim: (text: string) => void): SpeechStretch;
};

export type SpeechStretch = {
  /**
   * Adds audio (mono, 16 kHz). The beginning may come in one piece: voice activity is certain only after a moment. The
   * samples are lent, as a frame is (`MediaStream.onFrame`).
   */
  write(samples: Int16Array): void;
  /**
   * The words of everything written until now, '' where there are none. Asked at the first pause already: where the
   * person goes on, `signal` aborts, more is written and it is asked again for the whole. Asked once more while a question
   * is out, it is a second try: at least the later one is answered where the provider answers. Rejects with
   * `AppError('PROVIDER_FAILED')` when the provider does not answer usefully.
   */
  transcribe(signal: AbortSignal): Promise<Transcription>;
  /** Who is asked, where it is not the one that the transcriber names. */
  readonly model?: string;
  /** Another model that hears the same, for the second try. */
  readonly other?: { readonly model: string } & Pick<SpeechStretch, 'transcribe'>;
  /** Nothing more will be written or asked. */
  end(): void;
};

export type Transcription = {
  text: string;
  /** BCP 47, where the provider tells what was spoken. */
  language?: string;
  /** Where each word lies in the stretch, counted from its first sample, where the provider tells it. */
  words?: readonly SpokenWord[];
};
