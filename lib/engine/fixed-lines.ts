import type { CloseReason } from './turn-state.ts';
import type { CallPlan, VoiceCard } from './plan.ts';

type Tone = VoiceCard['tone'];

/** What the engine itself says, whichever brain is used. */
const REPROMPT: Record<Tone, string> = {
  calm: 'Are you still there?',
  warm: 'Hello, are you still there?',
  professional: 'Excuse me, are you still there?',
};

const CLOSING: Record<CloseReason, string> = {
  silence: "I can't hear you, so I will end the call here. Goodbye.",
  max_duration: "I'm sorry, we have reached the end of our time for this call. Thank you, and goodbye.",
  usage_limit: "I'm sorry, I have to end our call here. Thank you for your time. Goodbye.",
  shutdown: "I'm sorry, I have to end our call now. Goodbye.",
  failed: "I'm sorry, I am having technical difficulties. Please call back later. Goodbye.",
};

export function repromptLine(plan: CallPlan): string {
  return REPROMPT[plan.prompt.card.tone];
}

export function closingLine(reason: CloseReason): string {
  return CLOSING[reason];
}

export const FAREWELL_LINE = 'Thank you for your time. Goodbye.';
export const HANDOVER_LINE = 'One moment, please. I am connecting you with a colleague.';
