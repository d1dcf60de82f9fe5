import type { AttemptFailure } from './brain/model-attempts.ts';

/** Why an agent could not go on. */
export type CallFailure = AttemptFailure['kind'] | 'transcription' | 'speech' | 'brain' | 'limits';

/** Each as the end of a sentence for a person. */
export const CALL_FAILURES: Record<CallFailure, string> = {
  timed_out: 'the language model did not answer in time',
  no_connection: 'the language model could not be reached',
  rate_limited: 'the language model took no more requests',
  overloaded: 'the language model was overloaded',
  broke_off: 'the answers of the language model broke off',
  unreadable: 'the answers of the language model could not be read',
  refused: 'the language model refused the request',
  empty: 'the language model answered without words',
  filtered: 'the language model withheld its answers',
  bad_key: 'the key of the language model was refused',
  no_credit: 'the account of the language model has no credit left',
  no_such_model: 'the language model does not exist',
  transcription: 'what was said could not be turned into words',
  speech: 'its words could not be spoken',
  brain: 'it found no answer',
  limits: 'it was not known whether the call may take longer',
};
