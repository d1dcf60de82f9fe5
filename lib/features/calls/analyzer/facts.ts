import type { CallOutcome, DISPOSITIONS, SENTIMENTS } from '#db/schema/calls.ts';

export type Disposition = (typeof DISPOSITIONS)[number];
export type Sentiment = (typeof SENTIMENTS)[number];

/** What the analyzer reads: everything is stored, so an analysis can be repeated after a crash. */
export type AnalyzedCall = {
  direction: 'INBOUND' | 'OUTBOUND';
  outcome: CallOutcome;
  turns: readonly { speaker: 'agent' | 'human'; text: string }[];
  customTags: readonly { name: string; description: string }[];
};

export type Analysis = {
  /** null exactly when the call never connected. */
  summary: string | null;
  sentiment: Sentiment;
  tags: string[];
  disposition: Disposition;
};

/** What the words of the person say, beside the facts of the call. */
export type Findings = {
  declined: boolean;
  askedForHuman: boolean;
  askedForCallback: boolean;
  /** Somebody answered, but no conversation came about. */
  abandoned: boolean;
};

export function humanTurns(call: AnalyzedCall): string[] {
  return call.turns
    .filter((turn) => turn.speaker === 'human' && turn.text.trim() !== '')
    .map((turn) => turn.text.trim());
}

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
