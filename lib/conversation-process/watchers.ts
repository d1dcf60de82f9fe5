import type { CallOrder, LiveWords, Wanted } from '#lib/engine/supervision.ts';
import type { LiveSound } from '#lib/media/live-mix.ts';

/** Somebody who follows a call while it runs. What they leave out costs nothing. None of it may throw or wait. */
export type CallWatcher = {
  words?(words: LiveWords): void;
  sound?(sound: LiveSound): void;
  /** The conversation is over, or its process is gone. */
  ended?(): void;
};

/** What people can do with a call in progress, from the process that has it run. */
export type CallSupervisor = {
  order(order: CallOrder): void;
  /** Follows it until the function it gives is called. */
  watch(watcher: CallWatcher): () => void;
};

const NOTHING: Wanted = { words: false, sound: false };

/** Those who follow one call; `onWanted` hears what they want together, whenever that changes. */
export function createWatchers(onWanted: (wanted: Wanted) => void) {
  const watchers = new Set<CallWatcher>();
  let wanted = NOTHING;

  function tell(): void {
    const all = [...watchers];
    const next = { words: all.some((each) => each.words), sound: all.some((each) => each.sound) };
    if (next.words === wanted.words && next.sound === wanted.sound) return;
    wanted = next;
    onWanted(next);
  }

  return {
    watch(watcher: CallWatcher): () => void {
      watchers.add(watcher);
      tell();
      return () => {
        if (watchers.delete(watcher)) tell();
      };
    },
    words(words: LiveWords): void {
      for (const each of watchers) each.words?.(words);
    },
    sound(sound: LiveSound): void {
      for (const each of watchers) each.sound?.(sound);
    },
    end(): void {
      for (const each of watchers) each.ended?.();
      watchers.clear();
    },
  };
}

export type Watchers = ReturnType<typeof createWatchers>;
