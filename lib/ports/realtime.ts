import type { ChatMessage, ModelUsage, ToolDefinition } from './language-model.ts';
import type { ListeningOptions, SpeechSynthesizer } from './speech.ts';
import type { TranscriptionStream } from './transcription.ts';

/** A model that hears speech and speaks by itself. */
export type RealtimeModel = {
  /** Told with its failures, e.g. `gpt-realtime`. */
  readonly model: string;
  /** First one the default; an unknown one falls back to it. */
  readonly voices: SpeechSynthesizer['voices'];
  /** Opens the session of one call and connects at once. Never throws: what fails shows in what is asked of it. */
  open(
    options: RealtimeSettings & {
      signal: AbortSignal;
      /** What each answer and each line cost, also one that was given up, and each transcription that is paid by tokens. */
      onUsage(usage: ModelUsage): void;
    },
  ): RealtimeSession;
};

export type RealtimeSettings = {
  instructions: string;
  tools: readonly ToolDefinition[];
  voiceId: string | null;
  listening: ListeningOptions;
  /** The far end hears and speaks by a telephone's coding (µ-law, 8 kHz): more than that need not be sent. */
  isTelephone: boolean;
};

/**
 * One call's conversation with the model. What is written to a stretch is what the model hears, and its transcription
 * what it is said to have heard; whose turn it is, whoever holds the session decides. A connection that was lost is made
 * again by the next thing that is asked.
 */
export type RealtimeSession = TranscriptionStream & {
  /** Answers; one at a time, a former answer that is not over being given up. */
  respond(request: RealtimeRequest): RealtimeAnswer;
  /** Something that the model has neither heard nor said: a line that was spoken in its place, a note. */
  tell(message: Extract<ChatMessage, { role: 'user' | 'assistant' }>): void;
  /** What tools gave; the next answer knows of it. */
  giveResults(results: readonly { callId: string; result: Record<string, unknown> }[]): void;
  /**
   * Lets the model's voice say `text`, beside the conversation, which never hears of it. It mostly does to the letter;
   * the words that come tell whether it did.
   */
  recite(request: {
    text: string;
    language: string | null;
    signal: AbortSignal;
  }): AsyncIterable<RealtimeEvent>;
  /** Leaves a connection that does not answer any more, and makes another one. */
  renew(): void;
  /** The model is not to be used on this call any more. */
  close(): void;
};

export type RealtimeRequest = {
  /** What the person said since the last answer; undefined: the answer goes on after the results of tools. */
  heard: string | undefined;
  /** The call before that, for a connection that knows nothing of it. */
  messages: readonly ChatMessage[];
  offersTools: boolean;
  signal: AbortSignal;
};

/**
 * Rejects with `AppError('PROVIDER_FAILED')` (provider-failure.ts) when the model does not answer usefully, with the
 * signal's reason when it aborts; that gives up what is being made.
 */
export type RealtimeAnswer = AsyncIterable<RealtimeEvent> & {
  /**
   * So many milliseconds of its sound were heard, and no more will be: the model forgets the rest. 0: it forgets that it
   * was asked, except for tools whose results it was given.
   */
  truncate(heardMs: number): void;
};

export type RealtimeEvent =
  /** Words of the sound, mostly a little before it. */
  | { type: 'words'; delta: string }
  /** Mono, 16 kHz, at the loudness of all voices; faster than it is heard. */
  | { type: 'sound'; samples: Int16Array }
  /** A sign of life. */
  | { type: 'working' }
  | { type: 'tool_call'; id: string; name: string; arguments: string }
  /** `length`: cut off by a limit; `filtered`: withheld by the provider. */
  | { type: 'done'; finish?: 'length' | 'filtered' };
