/**
 * The tags that the analyzer applies by itself (contract, System tag). The descriptions are what GET /tags answers and
 * what a language model is told, so they say exactly when a tag applies and when it does not.
 */
export const SYSTEM_TAGS = {
  transferred:
    'The call was handed over to a person: the transfer was carried out, not merely asked for or announced.',
  voicemail:
    'An answering machine or voicemail took the call and the agent left a message. Applies only when a message was left.',
  voicemail_no_message:
    'An answering machine or voicemail took the call and no message was left, for example because the mailbox takes none.',
  appointment_booked:
    'An appointment was booked for a definite date and time: a tool made it, words alone do not. Without both a date and a time this tag does not apply.',
  callback_scheduled:
    'The person asked to be called back, or agreed to it, without a specific date and time. With a definite date and time it is an appointment.',
  not_interested:
    'The person declined what was offered or asked not to be called again. Being busy or asking for another time is not a refusal.',
  action_needed:
    'Somebody has to follow up: a request or question stayed open, a promise was made, a person was asked for and could not be reached, or somebody told of pain, danger or a threat.',
} as const satisfies Record<string, string>;

export type SystemTag = keyof typeof SYSTEM_TAGS;

export function isSystemTag(name: string): name is SystemTag {
  return Object.hasOwn(SYSTEM_TAGS, name);
}

/** Every tag with its rule goes into the analyzer's instructions, so there is an end to them. */
export const MAX_CUSTOM_TAGS = 100;
