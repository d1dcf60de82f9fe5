import type { CallClock } from '#lib/ports/clock.ts';

export type Heard =
  /** The agent spoke and has been quiet since. */
  | { type: 'spoke'; text: string }
  /** The agent is in the middle of a long sentence, at the point where an impatient person cuts in. */
  | { type: 'mid_sentence'; text: string }
  /** The agent said nothing for as long as the person was willing to wait. */
  | { type: 'nothing' };

/** How a simulated person follows what the agent says. */
export type AgentEar = {
  /**
   * Waits until the agent has spoken and then been quiet for `quietMs`, at most `patienceMs` of silence. With
   * `interrupt`, returns at that share of the first stretch of speech that is at least `MIN_INTERRUPTIBLE_MS` long.
   */
  listen(options: { quietMs: number; patienceMs: number; interruptAtShare?: number }): Promise<Heard>;
  agentStarted(text: string, durationMs: number): void;
  agentStopped(): void;
  reset(): void;
};

/** Shorter speech would be over before a person's interruption is recognised as one. */
const MIN_INTERRUPTIBLE_MS = 1_600;

type Stretch = { text: string; startedAtMs: number; durationMs: number };

/** When somebody who interrupts at this share of a stretch of speech cuts in; undefined: not in this one. */
function interruptionAt({ startedAtMs, durationMs }: Stretch, share: number | undefined): number | undefined {
  const isLong = durationMs >= MIN_INTERRUPTIBLE_MS;
  return isLong && share !== undefined ? startedAtMs + durationMs * share : undefined;
}

export function createAgentEar(clock: CallClock, over: AbortSignal): AgentEar {
  let current: Stretch | undefined;
  let unanswered: string[] = [];
  let quietSinceMs = 0;
  let changed = Promise.withResolvers<void>();

  const notify = () => {
    changed.resolve();
    changed = Promise.withResolvers<void>();
  };

  /** Sleeps until `ms` passed or the agent starts or stops speaking, whichever is first. */
  async function waitForChange(ms: number): Promise<void> {
    const awake = new AbortController();
    const sleeping = clock.sleep(ms, AbortSignal.any([over, awake.signal])).catch(() => undefined);
    await Promise.race([sleeping, changed.promise]);
    awake.abort();
    over.throwIfAborted();
  }

  return {
    async listen({ quietMs, patienceMs, interruptAtShare }) {
      const since = Math.max(clock.nowMs(), quietSinceMs);
      for (;;) {
        over.throwIfAborted();
        const now = clock.nowMs();
        if (current) {
          const interruptAt = interruptionAt(current, interruptAtShare);
          if (interruptAt !== undefined && now >= interruptAt) {
            unanswered = [];
            return { type: 'mid_sentence', text: current.text };
          }
          await waitForChange(interruptAt === undefined ? current.durationMs + 1_000 : interruptAt - now);
          continue;
        }
        const hasSpoken = unanswered.length > 0;
        const waitMs = hasSpoken ? quietSinceMs + quietMs - now : since + patienceMs - now;
        if (waitMs > 0) {
          await waitForChange(waitMs);
          continue;
        }
        const text = unanswered.join(' ');
        unanswered = [];
        return hasSpoken ? { type: 'spoke', text } : { type: 'nothing' };
      }
    },
    agentStarted(text, durationMs) {
      current = { text, startedAtMs: clock.nowMs(), durationMs };
      unanswered.push(text);
      notify();
    },
    agentStopped() {
      current = undefined;
      quietSinceMs = clock.nowMs();
      notify();
    },
    reset() {
      unanswered = [];
      quietSinceMs = clock.nowMs();
    },
  };
}
