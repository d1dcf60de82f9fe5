import { createLiveMix, type LiveSound } from '#lib/media/live-mix.ts';
import type { CallClock } from '#lib/ports/clock.ts';

/** What a person of the workspace orders on a call in progress. */
export type CallOrder =
  /** The agent says goodbye and hangs up. */
  | { kind: 'end'; by?: string | undefined }
  /** The agent says that it hands over, then does. */
  | { kind: 'transfer'; to: string };

/** What a side of a call is saying just now; replaces what it was before. Empty: nothing came of it. */
export type LiveWords = { speaker: 'agent' | 'human'; text: string };

/** What is wanted of a call while it runs; nothing costs anything that nobody wants. */
export type Wanted = { words: boolean; sound: boolean };

/** A call in progress as seen by people: their orders go in, its words and its sound come out. */
export type Supervision = {
  /** For whoever supervises. An order that comes before the conversation begins waits for it. */
  order(order: CallOrder): void;
  want(wanted: Wanted): void;

  /** For the conversation: its clock, and who takes orders. */
  begin(conversation: { clock: CallClock; onOrder(order: CallOrder): void }): void;
  says(words: LiveWords): void;
  /** The turn of it is stored. */
  said(speaker: LiveWords['speaker']): void;
  hears(side: 'agent' | 'human', samples: Int16Array, atMs: number): void;
  end(): void;
};

export function createSupervision(to: {
  words(words: LiveWords): void;
  sound(sound: LiveSound): void;
}): Supervision {
  const early: CallOrder[] = [];
  let conversation: Parameters<Supervision['begin']>[0] | undefined;
  let wanted: Wanted = { words: false, sound: false };
  let mix: ReturnType<typeof createLiveMix> | undefined;
  const said = new Map<LiveWords['speaker'], LiveWords>();

  function mixWhileWanted(): void {
    if (!wanted.sound || !conversation) {
      mix?.stop();
      mix = undefined;
    } else mix ??= createLiveMix(conversation.clock, to.sound);
  }

  return {
    order(order) {
      if (conversation) conversation.onOrder(order);
      else early.push(order);
    },
    want(next) {
      const isNew = next.words && !wanted.words;
      wanted = next;
      // Whoever comes in the middle of a sentence sees it.
      if (isNew) for (const words of said.values()) to.words(words);
      mixWhileWanted();
    },
    begin(next) {
      conversation = next;
      for (const order of early.splice(0)) next.onOrder(order);
      mixWhileWanted();
    },
    says(words) {
      said.set(words.speaker, words);
      if (wanted.words) to.words(words);
    },
    said: (speaker) => void said.delete(speaker),
    hears: (side, samples, atMs) => mix?.write(side, samples, atMs),
    end() {
      conversation = undefined;
      mixWhileWanted();
    },
  };
}
