import type { CallOutcome } from '#db/schema/calls.ts';
import type { CHANNELS, DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';

export type Disposition = (typeof DISPOSITIONS)[number];
export type Sentiment = (typeof SENTIMENTS)[number];

/** What the analyzer reads: everything is stored, so an analysis can be repeated after a crash. */
export type AnalyzedCall = {
  direction: 'INBOUND' | 'OUTBOUND';
  /** Left out: a call. */
  channel?: (typeof CHANNELS)[number];
  outcome: CallOutcome;
  turns: readonly { speaker: 'agent' | 'human'; text: string }[];
  customTags: readonly { name: string; description: string }[];
  /** What the tools of the agent answered, in order; left out: none was used. */
  toolUses?: readonly { name: string; result: Record<string, unknown> }[];
};

export type Analysis = {
  /** null exactly when the call never connected. */
  summary: string | null;
  sentiment: Sentiment;
  tags: string[];
  disposition: Disposition;
};

/** What was said on a call and what follows from it, beside the facts. */
export type Findings = {
  /** The turns without what was said to the analyzer instead of to the other side. */
  turns: readonly { speaker: 'agent' | 'human'; text: string }[];
  /** Somebody tried to tell the analyzer what to write. */
  hasOrders: boolean;
  /** Somebody answered, but no conversation came about. */
  abandoned: boolean;
  /** A machine answered that was not recognised as one during the call. */
  machine: 'message_left' | 'no_message' | null;
  /** The sentence with the day and time that both sides agreed on, where a tool of the workspace booked it. */
  agreed: string | undefined;
  /** Such a sentence where nothing booked it. */
  unbooked: string | undefined;
  declined: boolean;
  /** The sentence in which the person told of pain, danger or a threat. */
  emergency: string | undefined;
  askedForHuman: boolean;
  callback: boolean;
  wrongNumber: boolean;
  deceased: boolean;
  /** What the person wants to cancel, in their own sentence. */
  cancellation: string | undefined;
  isCancelled: boolean;
  /** The person said that an appointment which existed before still holds. */
  isConfirmed: boolean;
  /** Questions that the agent could not answer. */
  unanswered: string[];
  /** Sentences in which the agent promised that something will be done. */
  promises: string[];
  /** The agent spoke of a booking that nobody agreed to, or that failed. */
  claimedBooking: boolean;
  actionNeeded: boolean;
};

/** Tags that something which really happened on the call demands. Neither rules nor a model may take them away. */
export function tagsFromFacts(outcome: CallOutcome): string[] {
  const tags: string[] = [];
  if (outcome.transferredTo !== null) tags.push('transferred');
  if (outcome.voicemail === 'message_left') tags.push('voicemail');
  if (outcome.voicemail === 'no_message') tags.push('voicemail_no_message');
  if (outcome.appointment) tags.push('appointment_booked');
  if (outcome.callback) tags.push('callback_scheduled');
  return tags;
}

/** Tags that only a fact can give: words alone never make a call transferred or a voicemail. */
export const FACT_ONLY_TAGS: ReadonlySet<string> = new Set([
  'transferred',
  'voicemail',
  'voicemail_no_message',
]);

/** The disposition that facts decide, strongest first; undefined where words have to decide. */
export function dispositionFromFacts(outcome: CallOutcome): Disposition | undefined {
  if (!outcome.connected) return 'FAILED';
  if (outcome.voicemail) return 'VOICEMAIL';
  if (outcome.transferredTo !== null) return 'TRANSFERRED';
  if (outcome.appointment) return 'APPOINTMENT_BOOKED';
  if (outcome.callback) return 'SCHEDULED_CALLBACK';
  return undefined;
}
