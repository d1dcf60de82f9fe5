import type { Clock } from '#lib/ports/clock.ts';
import type { Brain } from './brain/brain.ts';
import type { CallSession } from './call-session.ts';
import type { CallFailure } from './call-failure.ts';
import type { HandOver } from './hand-over/hand-over.ts';
import type { CallPlan } from './plan.ts';
import type { Replies } from './replies.ts';
import { createKeypadEffects } from './keypad-effects.ts';
import type { CallOrder } from './supervision.ts';
import type { Timers } from './timers.ts';
import type { Finish } from './tools/tool.ts';
import { callerIdOf, transferTarget } from './tools/transfer-call.ts';
import type { CloseReason, SilentCloseReason, TurnEffect, TurnEvent, TurnTimer } from './turn-state.ts';
import { TURN_TIMING } from './turn-timing.ts';
import { within } from './within.ts';

/** A pause after the last word, so that hanging up does not clip it. */
const AFTER_LAST_WORD_MS = 500;
/** The goodbye begins this long before the call's time is over. */
const GOODBYE_MS = 10_000;
const MINUTE_MS = 60_000;
/** So long after the end of a call its parts may take to finish, each by itself. */
const TEARDOWN_MS = 5_000;

export type CallTimer = TurnTimer | 'max_duration' | 'time_is_up' | 'usage';

/** Does what the turn machine asks for, at once or in the background, and keeps what the call ends with. */
export function createEffects(options: {
  session: CallSession;
  brain: Brain;
  message: string;
  clock: Clock;
  timers: Timers<CallTimer>;
  replies: Replies;
  handOver: HandOver;
  post(event: TurnEvent): void;
}) {
  const { session, brain, timers, replies, post } = options;
  const { plan, leg, log, sinks } = session;
  const { lines } = plan.language;
  let failure: CallFailure | undefined;
  let closedFor: CloseReason | SilentCloseReason | undefined;
  let ordered: Extract<Finish, { kind: 'transfer' }> | undefined;
  let endOrder: Extract<CallOrder, { kind: 'end' }> | undefined;
  let finished: Finish | undefined;
  let transferredTo: string | null = null;
  let isHandingOver = false;
  /** How much had been spoken when the message to an answering machine began. */
  let spokenBeforeMessageMs: number | undefined;
  const over = new AbortController();
  let pending: Promise<unknown> = Promise.resolve();

  function inBackground(work: Promise<void>): void {
    const handled = work.catch((error: unknown) => {
      log.error({ callId: plan.callId, err: error }, 'Part of a conversation failed');
      return leg.hangUp();
    });
    pending = Promise.allSettled([pending, handled]);
  }

  const keypad = createKeypadEffects({ session, replies, post, inBackground });

  function open(): void {
    const to = plan.direction === 'INBOUND' && plan.hasAutoInboundTransfer ? plan.transferNumber : null;
    if (to === null)
      return replies.speakLine(leg.keypadOnly ? announced(plan, keypad.greeting()) : announced(plan));
    post({ type: 'reply_closes' });
    replies.speakLine(announced(plan), { kind: 'transfer', to, callerId: callerIdOf(plan) });
  }

  /** The last words were heard. Takes call time (a pause, ringing), so nothing waits for it. */
  async function finish(): Promise<void> {
    // Asked for again meanwhile: nobody is called a second time.
    if (isHandingOver) return undefined;
    const finishing = replies.finish();
    finished = finishing;
    if (finishing?.kind !== 'transfer') {
      await leg.clock.sleep(AFTER_LAST_WORD_MS);
      return leg.hangUp();
    }
    const { to, callerId } = finishing;
    isHandingOver = true;
    const result = await options.handOver(finishing, {
      signal: over.signal,
      onConnected() {
        transferredTo = to;
        sinks.event('transfer', { to, callerId, ok: true, mode: 'warm' });
      },
    });
    isHandingOver = false;
    if (result.ok) transferredTo = to;
    if (!result.ok || !result.isTold) {
      const mode = result.mode === 'warm' ? { mode: result.mode } : {};
      const outcome = result.ok ? { ok: true } : { ok: false, reason: result.reason };
      sinks.event('transfer', { to, callerId, ...outcome, ...mode });
    }
    if (result.ok) return leg.hangUp();
    if (over.signal.aborted) return undefined;
    finished = undefined;
    if (closedFor === 'failed') {
      timers.set('closing_limit', TURN_TIMING.closingLimitMs);
      return replies.speakLine(lines.closing.failed);
    }
    closedFor = undefined;
    post({ type: 'closing_failed' });
    replies.speakLine(
      leg.keypadOnly ? keypad.afterFailedTransfer() : brain.recover(finishing, result.reason),
    );
  }

  /** The last words of a call that cannot go on; an agent that failed hands over where it may. */
  function close(reason: CloseReason): void {
    closedFor = reason;
    const saidBye = reason === 'end_ordered' || (reason === 'silence' && leg.keypadOnly);
    if (saidBye) return replies.speakLine(lines.farewell);
    if (reason === 'transfer_ordered') return replies.speakLine(lines.handover, ordered);
    const target = transferTarget(plan);
    if (reason !== 'failed' || !target) return replies.speakLine(lines.closing[reason]);
    replies.speakLine(lines.failedHandover, { kind: 'transfer', ...target });
  }

  /** A person of the workspace wants something of the call. An order that comes too late changes nothing. */
  function obey(order: CallOrder): void {
    if (order.kind === 'transfer') ordered = { ...order, callerId: callerIdOf(plan) };
    else endOrder = order;
    sinks.event('order', order.kind === 'end' ? { kind: 'end' } : { ...order });
    // Two people talk with each other: there is nobody to say goodbye.
    if (order.kind === 'end' && isHandingOver && transferredTo !== null) return inBackground(leg.hangUp());
    post({ type: 'must_close', reason: order.kind === 'end' ? 'end_ordered' : 'transfer_ordered' });
  }

  /** Every minute has to be granted before it begins, early enough for a goodbye. */
  async function extendUsage(): Promise<void> {
    const minutesUsed = Math.round((session.elapsedMs() + GOODBYE_MS) / MINUTE_MS);
    const granted = await sinks.extendUsage((minutesUsed + 1) * 60).catch((error: unknown) => {
      log.error({ callId: plan.callId, err: error }, 'It is not known whether the call may go on');
      return undefined;
    });
    if (granted) return timers.set('usage', MINUTE_MS);
    timers.set('time_is_up', GOODBYE_MS);
    if (granted === undefined) failure = 'limits';
    post({ type: 'must_close', reason: granted === false ? 'usage_limit' : 'failed' });
  }

  return {
    obey,
    /** The call was answered: its time counts from now. */
    begin(): void {
      timers.set('max_duration', Math.max(0, plan.limits.maxDurationMs - GOODBYE_MS));
      timers.set('usage', MINUTE_MS - GOODBYE_MS);
    },
    perform(effect: TurnEffect): void {
      switch (effect.type) {
        case 'set_timer':
          return timers.set(effect.name, effect.ms);
        case 'clear_timer':
          return timers.clear(effect.name);
        case 'open':
          return open();
        case 'prepare':
          return replies.prepare(effect.heard);
        case 'think':
          session.turnEnded();
          return inBackground(replies.think(effect.heard));
        case 'enter_digits':
          return session.storeDigits(effect.digits);
        case 'drop_reply':
          return replies.drop();
        case 'cut_speech':
          return replies.cut();
        case 'resume_speech':
          return replies.resume();
        case 'ask_again':
          return replies.speakLine(lines.sayAgain);
        case 'reprompt':
          return replies.speakLine(lines.reprompt[plan.prompt.card.tone]);
        case 'fill':
          return replies.fill();
        case 'close':
          failure ??= effect.failure;
          return close(effect.reason);
        case 'report_machine':
          return sinks.event('machine_detected', { greeting: true });
        case 'offer_keypad':
        case 'announce_message':
        case 'play_tone':
        case 'begin_message':
        case 'end_message':
        case 'thank':
        case 'hand_over':
          return keypad.perform(effect);
        case 'leave_message':
          spokenBeforeMessageMs = session.spokenMs();
          return replies.speakLine(options.message);
        case 'finish':
          return inBackground(finish());
        case 'hang_up':
          closedFor = effect.closedFor ?? closedFor;
          return inBackground(leg.hangUp());
      }
    },
    /** A timer rang; gives what the turn machine has to know of it. */
    ring(name: CallTimer): TurnEvent | undefined {
      switch (name) {
        case 'max_duration':
          timers.set('time_is_up', GOODBYE_MS);
          return { type: 'must_close', reason: 'max_duration' };
        case 'time_is_up':
          inBackground(leg.hangUp());
          return undefined;
        case 'usage':
          inBackground(extendUsage());
          return undefined;
        case 'silence':
        case 'end_of_turn':
        case 'barge_in':
        case 'no_words':
        case 'closing_limit':
        case 'beep':
        case 'message_limit':
        case 'digits':
        case 'hold_limit':
          return { type: 'timer', name };
      }
    },
    /** How the call ended, once everything that was begun is done. */
    async ending() {
      over.abort();
      await within(pending, TEARDOWN_MS, options.clock);
      await within(replies.settled(), TEARDOWN_MS, options.clock);
      const messageMs = spokenBeforeMessageMs === undefined ? 0 : session.spokenMs() - spokenBeforeMessageMs;
      return {
        closedFor,
        endOrder,
        finish: finished,
        transferredTo,
        failure: failure ?? replies.failure(),
        messageMs,
      };
    },
  };
}

/** The announcement first, so that nothing is said before it; a voicemail gets its message alone. */
function announced({ announcement, prompt }: CallPlan, words = prompt.opening): string {
  return announcement === null ? words : `${announcement} ${words}`;
}
