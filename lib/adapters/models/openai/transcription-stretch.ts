import { AppError } from '#lib/errors.ts';
import type { Transcription } from '#lib/ports/transcription.ts';
import type { RealtimeConnection } from './realtime-connection.ts';
import { createParts, interimOf, type Part, wordsOf } from './transcription-parts.ts';

export type StretchState = {
  parts: Part[];
  onInterim(text: string): void;
  asked: { resolve(words: Transcription): void; reject(error: unknown): void } | undefined;
  /** Somebody asked and got nothing yet. */
  isUnanswered: boolean;
  /** The server has said something of what was asked for. */
  isNoticed: boolean;
  reconnects: number;
};

/** What was written of the stretch that is being spoken, in parts, and the question for its words. */
export type StretchBook = ReturnType<typeof createStretchBook>;

/** `send` reaches the Realtime API, or nobody while there is no connection; `sendAgain` makes up for it. */
export function createStretchBook(send: RealtimeConnection['send']) {
  const parts = createParts();
  let current: StretchState | undefined;

  function end(stretch: StretchState): void {
    if (current !== stretch) return;
    current = undefined;
    stretch.asked?.reject(new AppError('PROVIDER_FAILED', 'The stretch of speech is over.'));
    parts.drop(stretch.parts);
    send({ type: 'input_audio_buffer.clear' });
  }

  return {
    current: () => current,
    begin(onInterim: (text: string) => void): StretchState {
      if (current) end(current);
      current = {
        parts: [],
        onInterim,
        asked: undefined,
        isUnanswered: false,
        isNoticed: false,
        reconnects: 0,
      };
      return current;
    },
    end,
    /** `audio` is Base64. */
    write(stretch: StretchState, audio: string): void {
      const last = stretch.parts.at(-1);
      const part = last && !last.isCommitted ? last : parts.begin();
      if (part !== last) stretch.parts.push(part);
      part.audio.push(audio);
      stretch.isUnanswered = false;
      send({ type: 'input_audio_buffer.append', audio });
    },
    commit(stretch: StretchState): void {
      const part = stretch.parts.at(-1);
      if (!part || part.isCommitted) return;
      part.isCommitted = true;
      stretch.isNoticed = false;
      send({ type: 'input_audio_buffer.commit' });
    },
    notice(part: Part): void {
      if (current && part.isCommitted && current.parts.includes(part)) current.isNoticed = true;
    },
    /** To a new connection: what has no words yet, and its commits. */
    sendAgain(): void {
      if (current) current.isNoticed = false;
      parts.restart(current?.parts ?? []);
      for (const part of current?.parts ?? []) {
        for (const audio of part.audio) send({ type: 'input_audio_buffer.append', audio });
        if (part.isCommitted && !part.words) send({ type: 'input_audio_buffer.commit' });
      }
    },
    /** Answers the question where the words of all parts are there. */
    answer(): void {
      const words = current?.asked && wordsOf(current.parts);
      if (!words || !current) return;
      current.isUnanswered = false;
      current.asked?.resolve(words);
    },
    reject(reason: AppError): void {
      current?.asked?.reject(reason);
    },
    /** The part that an event is about. */
    named: parts.named,
    hear(part: Part, delta: string): void {
      part.interim += delta;
      if (current?.parts.includes(part)) current.onInterim(interimOf(current.parts));
    },
    settle: parts.settle,
    oldestCommitted: parts.oldestCommitted,
    isCurrent: (part: Part) => current?.parts.includes(part) ?? false,
  };
}
