import { createAsyncQueue } from '#lib/async-queue.ts';
import type { ControlEvent, MediaLeg, NeverConnectedReason } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { Dialog } from './dialog.ts';
import { traceOfDialog } from './forgotten-call.ts';
import type { RtpSession } from './rtp-session.ts';
import type { RtpSummary } from './rtp-wire.ts';

/** What a leg asks of its call; which call that is, is known after the leg. */
export type LegCall = {
  answer(): boolean;
  hangUp(): void;
  transfer: MediaLeg['transfer'];
  /** Once it was answered. */
  dialog(): Dialog | undefined;
};

export type SipLeg = MediaLeg & {
  /** What signalling and sound tell; nothing is told after the end. */
  told: {
    ringing(): void;
    answered(): void;
    digit(digit: string): void;
    hold(isHeld: boolean): void;
    ended(by: 'human' | 'agent' | 'carrier'): void;
    neverConnected(reason: NeverConnectedReason): void;
  };
  connect(call: LegCall): void;
  /** Hangs up although nobody wanted to: the line is dead. */
  drop(): void;
};

/** A call as the service sees it: signalling and sound of one call put together. */
export function createSipLeg(options: {
  reference: string;
  /** Of the process; the leg's own counts from now. */
  clock: CallClock;
  rtp: RtpSession;
  /** Once, at the end. */
  onOver(summary: Promise<RtpSummary>): void;
}): SipLeg {
  const { reference, clock, rtp, onOver } = options;
  const startedAtMs = clock.nowMs();
  const events = createAsyncQueue<ControlEvent>();
  const nowMs = () => clock.nowMs() - startedAtMs;
  let call: LegCall | undefined;
  let isOver = false;
  let isAnswered = false;
  /** What was agreed on, and what was told of it. */
  let isHeld = false;
  let toldHold = false;

  function tellHold(): void {
    if (isOver || !isAnswered || isHeld === toldHold) return;
    toldHold = isHeld;
    events.push({ type: 'hold', atMs: nowMs(), isHeld });
  }

  function end(event: ControlEvent): void {
    if (isOver) return;
    isOver = true;
    const summary = rtp.close();
    events.push(event);
    events.close();
    onOver(summary);
  }

  const told: SipLeg['told'] = {
    ringing: () => events.push({ type: 'ringing', atMs: nowMs() }),
    answered() {
      if (isOver) return;
      rtp.start(startedAtMs);
      events.push({ type: 'answered', atMs: nowMs(), by: 'unknown' });
      isAnswered = true;
      tellHold();
    },
    digit: (digit) => events.push({ type: 'digit', atMs: nowMs(), digit }),
    hold(next) {
      isHeld = next;
      tellHold();
    },
    ended: (by) => end({ type: 'hangup', atMs: nowMs(), by }),
    neverConnected: (reason) => end({ type: 'never_connected', atMs: nowMs(), reason }),
  };

  return {
    reference,
    clock: { nowMs, sleep: (ms, signal) => clock.sleep(ms, signal) },
    events,
    media: rtp.media,
    told,
    connect(connected) {
      call = connected;
    },
    drop() {
      if (!isOver) call?.hangUp();
      told.ended('carrier');
    },
    async answer() {
      call?.answer();
    },
    async hangUp() {
      if (isOver) return;
      call?.hangUp();
      told.ended('agent');
    },
    async transfer(request) {
      if (isOver || !call) return { ok: false, reason: 'the call is over' };
      const result = await call.transfer(request);
      if (result.ok) {
        call.hangUp();
        told.ended('agent');
      }
      return result;
    },
    trace() {
      const dialog = isOver ? undefined : call?.dialog();
      return dialog && traceOfDialog(dialog);
    },
    async sendDigits(digits) {
      await rtp.pressKeys(digits.replace(/[^0-9*#A-D]/g, ''));
    },
  };
}

/** A leg that never was: nothing was sent, or what was sent has ended before. */
export function createDeadLeg(reference: string, clock: CallClock): MediaLeg {
  const events = createAsyncQueue<ControlEvent>();
  events.push({ type: 'never_connected', atMs: 0, reason: 'network_failure' });
  events.close();
  const startedAtMs = clock.nowMs();
  return {
    reference,
    clock: { nowMs: () => clock.nowMs() - startedAtMs, sleep: (ms, signal) => clock.sleep(ms, signal) },
    events,
    media: {
      onFrame: () => undefined,
      write: () => undefined,
      clear: () => 0,
      mark: async () => false,
      playedMs: () => 0,
    },
    answer: async () => undefined,
    hangUp: async () => undefined,
    transfer: async () => ({ ok: false, reason: 'the call is over' }),
  };
}
