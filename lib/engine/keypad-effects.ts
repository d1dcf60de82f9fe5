import type { CallSession } from './call-session.ts';
import { keypadGreeting, keypadOffer } from './keypad-words.ts';
import type { Replies } from './replies.ts';
import { transferTarget } from './tools/transfer-call.ts';
import type { TurnEffect, TurnEvent } from './turn-state.ts';

/** In the transcript in place of words that nobody turned into text. */
export const RECORDED_MESSAGE = '[recorded message]';

export type KeypadEffect = Extract<
  TurnEffect,
  {
    type:
      | 'offer_keypad'
      | 'announce_message'
      | 'play_tone'
      | 'begin_message'
      | 'end_message'
      | 'thank'
      | 'hand_over';
  }
>;

/** What is said and recorded on a call on which only keys are understood (turn-keypad.ts). */
export function createKeypadEffects(options: {
  session: CallSession;
  replies: Replies;
  post(event: TurnEvent): void;
  inBackground(work: Promise<void>): void;
}) {
  const { session, replies, post, inBackground } = options;
  const { plan, leg, sinks } = session;
  const { lines } = plan.language;
  const target = transferTarget(plan);
  let mayTransfer = target !== undefined;
  let messageFromMs = 0;

  async function playTone(): Promise<void> {
    await leg.keypadOnly?.playTone();
    post({ type: 'tone_played' });
  }

  function endMessage(isLeft: boolean): void {
    if (!isLeft) return;
    const endedAtMs = leg.clock.nowMs();
    session.storeUtterance({
      type: 'utterance',
      text: RECORDED_MESSAGE,
      startedAtMs: messageFromMs,
      endedAtMs,
    });
    sinks.event('message_recorded', { seconds: Math.round((endedAtMs - messageFromMs) / 1_000) });
  }

  return {
    greeting: () => keypadGreeting(plan, mayTransfer),
    /** What is said where nobody took the call over. */
    afterFailedTransfer(): string {
      mayTransfer = false;
      return `${lines.transferFailed} ${keypadOffer(plan, false)}`;
    },
    perform(effect: KeypadEffect): void {
      switch (effect.type) {
        case 'offer_keypad':
          return replies.speakLine(keypadOffer(plan, mayTransfer));
        case 'announce_message':
          return replies.speakLine(lines.keypad.afterTone);
        case 'play_tone':
          return inBackground(playTone());
        case 'begin_message':
          messageFromMs = leg.clock.nowMs();
          return undefined;
        case 'end_message':
          return endMessage(effect.isLeft);
        case 'thank':
          return replies.speakLine(effect.isLeft ? lines.keypad.thanks : lines.farewell, {
            kind: 'hang_up',
            reason: effect.isLeft ? 'a message was recorded' : 'no message was left',
          });
        case 'hand_over':
          return replies.speakLine(lines.handover, target && { kind: 'transfer', ...target });
      }
    },
  };
}
