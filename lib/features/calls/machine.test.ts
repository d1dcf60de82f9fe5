import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_STATUSES } from '#lib/ports/call-kinds.ts';
import { CALL_MACHINE, type CallStatus, type CallTrigger, next } from './machine.ts';

const triggers: CallTrigger[] = [
  'dial',
  'ring',
  'answer',
  'never_connect',
  'hang_up',
  'recover',
  'give_up',
  'cancel',
  'finish',
];
const rank = (status: CallStatus) => CALL_STATUSES.indexOf(status);

describe('the call machine', () => {
  it('only ever moves forward, whatever triggers come in whatever order', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 40 }), (sequence) => {
        let state: CallStatus = 'queued';
        for (const trigger of sequence) {
          const step = next(state, trigger);
          if (!step.ok) continue;
          expect(rank(step.state)).toBeGreaterThan(rank(state));
          state = step.state;
        }
      }),
    );
  });

  it('dials at most once in any sequence of triggers', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...triggers), { maxLength: 60 }), (sequence) => {
        let state: CallStatus = 'queued';
        let dials = 0;
        for (const trigger of sequence) {
          const step = next(state, trigger);
          if (step.ok && trigger === 'dial') dials += 1;
          if (step.ok) state = step.state;
        }
        expect(dials).toBeLessThanOrEqual(1);
      }),
    );
  });

  it('can end every call from every state', () => {
    for (const start of CALL_STATUSES) expect(reachableFrom(start)).toContain('ended');
  });

  it('leaves nothing to do for an ended call, and says why in a sentence', () => {
    expect(CALL_MACHINE.ended).toEqual({});
    expect(next('ended', 'dial')).toEqual({ ok: false, reason: 'A call that is ended cannot take "dial"' });
  });

  it('can recover every state in which a person may have been reached, and never back to the queue', () => {
    for (const state of ['dialing', 'ringing', 'in_progress'] as const) {
      expect(next(state, 'recover')).toEqual({ ok: true, state: 'wrapping_up' });
    }
    expect(next('queued', 'recover').ok).toBe(false);
  });
});

function reachableFrom(start: CallStatus): Set<CallStatus> {
  const seen = new Set<CallStatus>([start]);
  for (const state of seen) for (const target of Object.values(CALL_MACHINE[state])) seen.add(target);
  return seen;
}
