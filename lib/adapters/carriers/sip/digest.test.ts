import { expect, it } from 'vitest';
import { answerChallenge } from './digest.ts';
import { parseAuthParams } from './grammar.ts';
import type { SipRequest, SipResponse } from './message.ts';

const request: SipRequest = {
  kind: 'request',
  method: 'GET',
  uri: '/dir/index.html',
  headers: new Map(),
  body: '',
};
const credentials = () => ({ username: 'Mufasa', password: 'Circle of Life' });
const cnonce = () => 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ';

const asked = (...challenges: string[]): SipResponse => ({
  kind: 'response',
  status: 401,
  reason: '',
  headers: new Map([['www-authenticate', challenges]]),
  body: '',
});
const WITH =
  'Digest realm="http-auth@example.org", qop="auth, auth-int", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", algorithm=';
const proofOf = (response: SipResponse) =>
  parseAuthParams(answerChallenge(request, response, credentials, cnonce)?.value ?? '');

it('answers as the examples of RFC 7616 do', () => {
  expect(proofOf(asked(`${WITH}MD5`)).get('response')).toBe('8ca523f5e9506fed4657c9700eebdbec');
  expect(proofOf(asked(`${WITH}SHA-256`)).get('response')).toBe(
    '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
  );
});

it('answers as RFC 2617 does without qop', () => {
  const proof = proofOf(asked('Digest realm="http-auth@example.org", nonce="n"'));
  expect(proof.has('qop')).toBe(false);
  expect(proof.has('algorithm')).toBe(false);
});

it('takes the strongest of what is offered, and nothing that it does not know', () => {
  expect(proofOf(asked(`${WITH}MD5`, `${WITH}SHA-256`)).get('algorithm')).toBe('SHA-256');
  expect(answerChallenge(request, asked('Basic realm="x"'), credentials)).toBeUndefined();
  expect(answerChallenge(request, asked(`${WITH}MD6`), credentials)).toBeUndefined();
  expect(
    answerChallenge(request, asked('Digest realm="x", nonce="n", qop="auth-int"'), credentials),
  ).toBeUndefined();
});
