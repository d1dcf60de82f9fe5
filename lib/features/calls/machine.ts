import type { CALL_STATUSES } from '#lib/ports/call-kinds.ts';

export type CallStatus = (typeof CALL_STATUSES)[number];

/**
 * What moves a call. `dial`: the fence row is being committed. `never_connect`: busy, no answer, failure, refusal.
 * `hang_up`: the conversation is over. `recover`: its process died. `cancel`: by a person, before anything was sent.
 */
export type CallTrigger =
  | 'dial'
  | 'ring'
  | 'answer'
  | 'never_connect'
  | 'hang_up'
  | 'recover'
  | 'give_up'
  | 'cancel'
  | 'finish';

/** How a conversation comes to be: a call accepted to be dialled later, one come in on a line that is there already, a chat. */
export const CALL_ENTRIES = {
  accept: 'queued',
  come_in: 'ringing',
  open_chat: 'in_progress',
} as const satisfies Record<string, CallStatus>;

/** The persisted states of a call, as data. A state that is not listed for a trigger rejects it. */
export const CALL_MACHINE: Record<CallStatus, Partial<Record<CallTrigger, CallStatus>>> = {
  queued: { dial: 'dialing', cancel: 'wrapping_up', give_up: 'wrapping_up' },
  dialing: { ring: 'ringing', answer: 'in_progress', never_connect: 'wrapping_up', recover: 'wrapping_up' },
  ringing: { answer: 'in_progress', never_connect: 'wrapping_up', recover: 'wrapping_up' },
  in_progress: { hang_up: 'wrapping_up', recover: 'wrapping_up' },
  wrapping_up: { finish: 'ended' },
  ended: {},
};

export type Transition = { ok: true; state: CallStatus } | { ok: false; reason: string };

export function next(state: CallStatus, trigger: CallTrigger): Transition {
  const target = CALL_MACHINE[state][trigger];
  if (target) return { ok: true, state: target };
  return {
    ok: false,
    reason: `A call that is ${state.replace('_', ' ')} cannot take "${trigger.replace('_', ' ')}"`,
  };
}
