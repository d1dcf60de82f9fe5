import { createAsyncQueue } from '#lib/async-queue.ts';
import type { TestCallClock } from './call-clock-testing.ts';
import type { ControlEvent, MediaLeg } from './carrier.ts';
import { createFakeMedia, type FakeFarEnd } from './media-testing.ts';

/** The other end of a leg that carries sound, in the hand of a test. */
export type FakeLegEnd = Omit<FakeFarEnd, 'hangUp'> & {
  ring(): void;
  answer(by?: 'human' | 'machine' | 'unknown'): void;
  fail(reason: 'no_answer' | 'busy' | 'network_failure' | 'rejected'): void;
  press(digit: string): void;
  hold(isHeld: boolean): void;
  text(text: string, state?: 'typed' | 'interim' | 'recognized'): void;
  hangUp(by?: 'human' | 'carrier'): void;
  isOver(): boolean;
  /** Keys that the agent pressed. */
  readonly pressed: string[];
  readonly transfers: { to: string; callerId: string }[];
};

/** A leg in memory on a test's clock. `transfer`: what comes of one, after a while of ringing. */
export function createFakeMediaLeg(
  clock: TestCallClock,
  options: { transfer?: () => Promise<{ ok: true } | { ok: false; reason: string }> } = {},
): { leg: MediaLeg; farEnd: FakeLegEnd } {
  const { media, farEnd } = createFakeMedia(clock);
  const events = createAsyncQueue<ControlEvent>();
  const pressed: string[] = [];
  const transfers: { to: string; callerId: string }[] = [];
  let isOver = false;
  let isAnswered = false;

  function end(event: ControlEvent): void {
    if (isOver) return;
    isOver = true;
    farEnd.hangUp();
    events.push(event);
    events.close();
  }
  function answer(by: 'human' | 'machine' | 'unknown' = 'human'): void {
    if (isAnswered) return;
    isAnswered = true;
    events.push({ type: 'answered', atMs: clock.nowMs(), by });
  }

  return {
    leg: {
      reference: 'leg_test',
      clock,
      media,
      events,
      answer: async () => answer(),
      hangUp: async () => end({ type: 'hangup', atMs: clock.nowMs(), by: 'agent' }),
      async transfer(request) {
        transfers.push(request);
        return (await options.transfer?.()) ?? { ok: true };
      },
      sendDigits: async (digits) => void pressed.push(digits),
    },
    farEnd: {
      ...farEnd,
      ring: () => events.push({ type: 'ringing', atMs: clock.nowMs() }),
      answer,
      fail: (reason) => end({ type: 'never_connected', atMs: clock.nowMs(), reason }),
      press: (digit) => events.push({ type: 'digit', atMs: clock.nowMs(), digit }),
      hold: (isHeld) => events.push({ type: 'hold', atMs: clock.nowMs(), isHeld }),
      text: (text, state = 'typed') => events.push({ type: 'text', atMs: clock.nowMs(), text, state }),
      hangUp: (by = 'human') => end({ type: 'hangup', atMs: clock.nowMs(), by }),
      isOver: () => isOver,
      pressed,
      transfers,
    },
  };
}
