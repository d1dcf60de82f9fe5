import type { Transcription } from '#lib/ports/transcription.ts';
import { spokenWords } from './transcription-options.ts';

/** What lies between two commits; the Realtime API gives it an id and a transcript of its own. */
export type Part = {
  /** Base64 of what was written, kept until its words are there: a new connection gets it again. */
  audio: string[];
  isCommitted: boolean;
  itemId: string | undefined;
  /** Its words so far, before they are final. */
  interim: string;
  words: Transcription | undefined;
};

/**
 * The parts of one call that have no words yet, oldest first, those of stretches that are over included: the API names
 * parts in the order of their commits, so none may be forgotten before it was named.
 */
export function createParts() {
  let waiting: Part[] = [];
  return {
    begin(): Part {
      const part: Part = { audio: [], isCommitted: false, itemId: undefined, interim: '', words: undefined };
      waiting.push(part);
      return part;
    },
    /** The part that an event is about; some models name the one that is being spoken already. */
    named(itemId: unknown): Part | undefined {
      if (typeof itemId !== 'string') return undefined;
      const known = waiting.find((part) => part.itemId === itemId);
      if (known) return known;
      const next = waiting.find((part) => part.itemId === undefined && part.audio.length > 0);
      if (next) next.itemId = itemId;
      return next;
    },
    oldestCommitted: () => waiting.find((part) => part.isCommitted),
    settle(part: Part, words: Transcription): void {
      part.words = { ...words, text: spokenWords(words.text) };
      part.audio = [];
      waiting = waiting.filter((one) => one !== part);
    },
    /** Nothing of these was committed: the API will never name them. */
    drop(parts: readonly Part[]): void {
      waiting = waiting.filter((part) => part.isCommitted || !parts.includes(part));
    },
    /** A new connection knows no ids, and nothing of stretches that are over. */
    restart(parts: readonly Part[]): void {
      waiting = parts.filter((part) => !part.words);
      for (const part of waiting) {
        part.itemId = undefined;
        part.interim = '';
      }
    },
  };
}

/** The words of all committed parts in one; undefined while some are missing. */
export function wordsOf(parts: readonly Part[]): Transcription | undefined {
  const committed = parts.filter((part) => part.isCommitted);
  const words = committed.flatMap((part) => part.words ?? []);
  if (words.length < committed.length) return undefined;
  const language = words.findLast((part) => part.language !== undefined)?.language;
  const text = words
    .map((part) => part.text)
    .filter((part) => part !== '')
    .join(' ');
  return { text, ...(language ? { language } : {}) };
}

/** What is known of all parts until now. */
export function interimOf(parts: readonly Part[]): string {
  return spokenWords(parts.map(({ words, interim }) => words?.text ?? interim).join(' '));
}
