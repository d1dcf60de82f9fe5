import { expect, it } from 'vitest';
import { sentenceOf } from './audit-sentences.ts';

it('says what happened in words, with what it happened to', () => {
  const read = (action: string, data: Record<string, unknown> = {}) => sentenceOf({ action, data });
  expect(read('account.signed_in', { address: '203.0.113.5' })).toBe('signed in from 203.0.113.5');
  expect(read('account.sign_in_refused', { email: 'a@b.test', count: 12, address: '203.0.113.5' })).toBe(
    'tried to sign in as a@b.test with a wrong password, 12 times from 203.0.113.5',
  );
  expect(read('account.sessions_ended', { sessions: 1 })).toBe('ended one session of their own');
  expect(read('member.role.updated', { email: 'a@b.test', from: 'admin', to: 'viewer' })).toBe(
    'changed the role of a@b.test from admin to viewer',
  );
  expect(read('call.placed', { direction: 'OUTBOUND', humanPhoneNumber: '+15550100100' })).toBe(
    'placed a call to +15550100100 by hand',
  );
  expect(read('agent.created', {})).toBe('made the agent unknown');
  expect(read('something.else')).toBeUndefined();
});
