import type { CallEvent } from '#lib/features/conversations/contract.ts';
import { tagLabel } from './wording.ts';

const KNOWN: Record<string, string> = {
  'call.queued': 'Queued',
  'call.postponed': 'Postponed to calling hours',
  'retry.planned': 'Another attempt is planned',
  'retry.refused': 'No further attempt',
  'call.dialing': 'Dialing',
  'call.ringing': 'Ringing',
  'call.in_progress': 'Answered',
  'call.wrapping_up': 'Hung up, wrapping up',
  'transfer.answered': 'The other party of the transfer answered',
  'call.ended': 'Conversation written',
  order: 'Ordered by a member of the workspace',
  model_failed: 'Language model failed',
  speech_failed: 'Speech failed',
  message_recorded: 'Message recorded',
  transcription_retried: 'Transcription asked again',
  transcription_failed: 'Not understood: transcription failed',
  opening_replaced: 'Another opening was said: variables were not given',
  voice_replaced: 'Another voice spoke',
  input_dropped: 'Too many keys or messages at once: some were not taken',
  call_held: 'Put on hold by the person',
  call_resumed: 'Taken back from hold',
  'recording.deleted': 'Recording deleted: it was kept no longer',
  'chat.answer_failed': 'No answer could be given',
};

/** Turns and tool uses have their place in the transcript; the timeline shows the rest. */
export function isTimelineEvent(event: CallEvent): boolean {
  return event.type !== 'turn' && event.type !== 'tool';
}

export function eventLabel(event: CallEvent): string {
  return KNOWN[event.type] ?? tagLabel(event.type.replaceAll('.', ' '));
}

/** Said elsewhere on the page, or of use to nobody who reads it. */
const LEFT_OUT = new Set(['reference', 'endReason', 'disposition']);

/** The plain facts of an event as `name: value`; nested ones are left to the API. */
export function eventFacts(event: CallEvent): string[] {
  return Object.entries(event.data)
    .filter(([name, value]) => !LEFT_OUT.has(name) && isPlain(value))
    .map(
      ([name, value]) =>
        `${tagLabel(name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase())}: ${String(value)}`,
    );
}

function isPlain(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'boolean'
  );
}
