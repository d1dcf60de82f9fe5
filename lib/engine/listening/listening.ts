import type { CallClock } from '#lib/ports/clock.ts';
import type { MediaStream } from '#lib/ports/media.ts';
import type { ListeningOptions } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';

/** What is heard of a person, in the order in which it becomes known. Times are the call clock's milliseconds. */
export type HeardEvent =
  /** The person began to speak, before any words are known. `atMs` is when it began, a little before now. */
  | { type: 'speech_started'; atMs: number }
  /** What was understood until now of what is being said; the next one replaces it. */
  | { type: 'interim'; atMs: number; text: string }
  /** The person fell silent. Words follow in an `utterance`: none where it was only a noise. */
  | { type: 'speech_stopped'; atMs: number }
  /**
   * The words of what was said since the first `speech_started` that no utterance has answered yet; '' for a noise.
   * `endOfTurnMs`: how much longer to wait, from now, before this counts as the end of the person's turn.
   */
  | { type: 'utterance'; text: string; startedAtMs: number; endedAtMs: number; endOfTurnMs: number }
  /**
   * What was said from `startedAtMs` to `endedAtMs` could not be turned into words, after a second try. Comes instead
   * of an `utterance`; `reason` is a sentence for a person.
   */
  | { type: 'transcription_failed'; startedAtMs: number; endedAtMs: number; reason: string }
  /** An answering machine's beep has ended: a message may be left now. */
  | { type: 'beep'; atMs: number };

export type Listen = {
  /** The far end's frames; this takes the stream's one listener. A tap for the recording stands before it. */
  media: Pick<MediaStream, 'onFrame'>;
  clock: CallClock;
  transcriber: Transcriber;
  /** Hints, language and multilingual reach the transcription; the language also chooses the cues of a turn's end. */
  options: ListeningOptions;
  /** Gets each event as it happens; never called again after `close`. */
  onEvent(event: HeardEvent): void;
};

export type Listening = {
  /**
   * The agent said `text` (whole sentences, as they are heard): what kind of answer may follow, and how long people
   * take to give it, comes from the last question.
   */
  agentSaid(text: string): void;
  /** The agent is audible from now on, or no more. Its echo must not count as the person's speech. */
  agentSpeaking(isSpeaking: boolean): void;
  /** The call is over: everything under way is given up. */
  close(): void;
};
