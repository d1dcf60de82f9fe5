import type { ConversationHost } from '#lib/conversation-process/host.ts';
import type { LiveWords } from '#lib/engine/supervision.ts';

/**
 * What the sides of a call are saying just now, where this process has its conversation: the last of each side, for a
 * reader who takes them when they can. Nothing is watched after `signal` has aborted.
 */
export function createLiveWords(
  host: Pick<ConversationHost, 'supervisor'>,
  callId: string,
  signal: AbortSignal,
) {
  const latest = new Map<LiveWords['speaker'], LiveWords>();
  let changed = Promise.withResolvers<void>();
  let stop: (() => void) | undefined;
  signal.addEventListener('abort', () => stop?.(), { once: true });

  return {
    /** The conversation may have begun meanwhile. */
    attach(): void {
      if (stop || signal.aborted) return;
      stop = host.supervisor(callId)?.watch({
        words(words) {
          latest.set(words.speaker, words);
          changed.resolve();
        },
      });
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
