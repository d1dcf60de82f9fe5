/**
 * The one list of each value that conversations are told apart by; the types, the database's columns, the API's enums and those
 * of webhooks follow from it.
 */

/** In the order in which a call passes them. */
export const CALL_STATUSES = ['queued', 'dialing', 'ringing', 'in_progress', 'wrapping_up', 'ended'] as const;
export const DIRECTIONS = ['INBOUND', 'OUTBOUND'] as const;
export const SENTIMENTS = ['POSITIVE', 'NEUTRAL', 'NEGATIVE', 'N_A'] as const;
export const DISPOSITIONS = [
  'COMPLETED',
  'VOICEMAIL',
  'TRANSFERRED',
  'APPOINTMENT_BOOKED',
  'SCHEDULED_CALLBACK',
  'ABANDONED',
  'FAILED',
] as const;
/** What a conversation is: spoken, or written. */
export const CHANNELS = ['call', 'chat'] as const;
