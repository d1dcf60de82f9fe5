import type { CallPlan } from '#lib/engine/plan.ts';
import { introductionOf } from './voicemail-message.ts';

/**
 * What a person hears first who cannot be understood: who is speaking, without a question that nobody would hear the
 * answer to, and what a key does.
 */
export function keypadGreeting(plan: CallPlan, canTransfer: boolean): string {
  const { cannotUnderstand } = plan.language.lines.keypad;
  return [...introductionOf(plan), cannotUnderstand, keypadOffer(plan, canTransfer)].join(' ');
}

export function keypadOffer(plan: CallPlan, canTransfer: boolean): string {
  const { leaveMessage, transfer } = plan.language.lines.keypad;
  return canTransfer ? `${leaveMessage} ${transfer}` : leaveMessage;
}
