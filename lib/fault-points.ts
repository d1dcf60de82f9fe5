/**
 * Moments at which a process may die, by the name of what was done last: the kill suite (bench/chaos) ends a process at
 * each of them. The service only passes by; nothing here listens, and no setting makes it.
 */
export const FAULT_POINTS = {
  'call.accepted': 'row and reserved minute are committed; the caller of the API has no answer yet',
  'call.claimed': 'a worker has the lease; nobody is dialled',
  'call.planned': 'the prompt is rendered',
  'call.fenced': 'the attempt is committed; no carrier was asked',
  'call.ordered': 'the process of conversations has asked the carrier',
  'conversation.begun': 'the order has reached the process of conversations',
  'conversation.asked': 'the carrier was asked; its answer is not there yet',
  'conversation.accepted': 'the carrier took the call',
  'conversation.told': 'a turn or an event is on its way to the journal and to the worker',
  'conversation.flushed': 'what was told is in the journal',
  'conversation.closing': 'the result is in the journal; the worker does not know',
  'call.event_stored': 'a turn or an event is committed',
  'call.outcome_stored': 'the result is committed; the recording is not stored',
  'call.recording_put': 'the recording is in the storage; the call does not name it',
  'call.recording_saved': 'the call names its recording',
  'call.analyzed': 'the analysis is made; the call is not ended',
  'call.ended': 'the end and the webhook delivery are committed; the journal is still there',
  'call.taken_over': 'a silent call has another owner, who did nothing yet',
  'webhook.claimed': 'the delivery is fenced; nothing was sent',
  'webhook.sent': 'the receiver answered; nobody knows',
  'webhook.recorded': 'the result is committed',
  'document.stored': 'the file is in the storage; there is no row',
  'document.recorded': 'the row is committed, PENDING',
  'document.started': 'PROCESSING; nothing of it is stored',
  'document.rows_copied': 'some chunks are committed',
  'document.completed': 'COMPLETED; the caller of the API has no answer yet',
  'conversation.deleting': 'the rows are deleted; nothing of it is committed',
  'conversation.deleted': 'the rows are gone; the recording is not',
  'conversation.file_removed': 'the recording is gone; its waveform is not',
  'document.deleted': 'the row is gone; the file and the chunks are not',
} as const;

export type FaultPoint = keyof typeof FAULT_POINTS;

let watch: ((point: FaultPoint) => void) | undefined;

/** Says that what the name tells of is done, and nothing after it. */
export function passFaultPoint(point: FaultPoint): void {
  watch?.(point);
}

/** For the kill suite alone: hears every point that this process passes. */
export function watchFaultPoints(hear: (point: FaultPoint) => void): void {
  watch = hear;
}
