import type { CallSupervisor } from '#lib/conversation-process/watchers.ts';
import type { LiveWords } from '#lib/engine/supervision.ts';

/**
 * What the sides of a call are saying just now: the last of each side, for a reader who takes them when they can. Nothing
 * is watched after `signal` has aborted.
 */
export function createLiveWords(
  find: () => Promise<Pick<CallSupervisor, 'watch'> | undefined>,
  signal: AbortSignal,
) {
  const latest = new Map<LiveWords['speaker'], LiveWords>();
  let changed = Promise.withResolvers<void>();
  let stop: (() => void) | undefined;
  signal.addEventListener('abort', () => stop?.(), { once: true });

  return {
    /** The conversation may have begun meanwhile. False where it has not. */
    async attach(): Promise<boolean> {
      if (stop || signal.aborted) return true;
      const supervisor = await find();
      if (signal.aborted) return true;
      stop = supervisor?.watch({
        words(words) {
          latest.set(words.speaker, words);
          changed.resolve();
        },
      });
      return stop !== undefined;
    },
    changed: () => changed.promise,
    take(): LiveWords[] {
      const all = [...latest.values()];
      latest.clear();
      changed = Promise.withResolvers();
      return all;
    },
  };
}

export type LiveWordsReader = ReturnType<typeof createLiveWords>;
