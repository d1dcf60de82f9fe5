import { createHash, randomBytes } from 'node:crypto';
import { parseAuthParams } from './grammar.ts';
import { header, headerList, type SipRequest, type SipResponse } from './message.ts';

/** Digest access authentication as SIP uses it (RFC 8760, RFC 7616, RFC 3261, section 22). */
export type Credentials = { username: string; password: string };

/** The strongest first: a peer that offers several means the same password. */
const ALGORITHMS = [
  ['SHA-512-256', 'sha512-256'],
  ['SHA-256', 'sha256'],
  ['MD5', 'md5'],
] as const;

/**
 * Answers the challenge of a 401 or 407 with what the request lacks: the header's name and value. Undefined where
 * nothing that is offered can be answered, or where the same was answered already and refused. `credentialsFor`:
 * undefined where that realm is not to be answered.
 */
export function answerChallenge(
  request: SipRequest,
  response: SipResponse,
  credentialsFor: (realm: string) => Credentials | undefined,
  makeCnonce: () => string = () => randomBytes(12).toString('hex'),
): { name: string; value: string } | undefined {
  const [challengeName, name] =
    response.status === 407
      ? ['proxy-authenticate', 'proxy-authorization']
      : ['www-authenticate', 'authorization'];
  const offered = headerList(response, challengeName)
    .filter((value) => /^digest\s/i.test(value))
    .map((value) => parseAuthParams(value.replace(/^digest\s+/i, '')))
    .flatMap((challenge) => {
      const realm = challenge.get('realm') ?? '';
      const credentials = credentialsFor(realm);
      return credentials ? [{ challenge, realm, credentials }] : [];
    });
  const best = ALGORITHMS.flatMap(([algorithm, hash]) =>
    offered
      .filter(({ challenge }) => (challenge.get('algorithm') ?? 'MD5').toUpperCase() === algorithm)
      .map((offer) => ({ ...offer, algorithm, hash })),
  )[0];
  if (!best) return undefined;
  const { algorithm, hash, challenge, realm, credentials } = best;
  const before = header(request, name);
  // A second challenge is answered only where the first answer was too old, not wrong.
  const isStale = challenge.get('stale')?.toLowerCase() === 'true';
  const nonce = challenge.get('nonce') ?? '';
  if (before !== undefined && (!isStale || parseAuthParams(before).get('nonce') === nonce)) return undefined;

  const qops = challenge
    .get('qop')
    ?.toLowerCase()
    .split(/\s*,\s*/);
  if (qops && !qops.includes('auth')) return undefined;
  const digest = (text: string) => createHash(hash).update(text).digest('hex');
  const secret = digest(`${credentials.username}:${realm}:${credentials.password}`);
  const action = digest(`${request.method}:${request.uri}`);
  const cnonce = makeCnonce();
  // A nonce is answered once, so its count is always the first.
  const count = '00000001';
  const proof = qops
    ? digest(`${secret}:${nonce}:${count}:${cnonce}:auth:${action}`)
    : digest(`${secret}:${nonce}:${action}`);
  const parts = [
    `username=${quote(credentials.username)}`,
    `realm=${quote(realm)}`,
    `nonce=${quote(nonce)}`,
    `uri=${quote(request.uri)}`,
    `response="${proof}"`,
    ...(challenge.has('algorithm') ? [`algorithm=${algorithm}`] : []),
    ...(challenge.has('opaque') ? [`opaque=${quote(challenge.get('opaque') ?? '')}`] : []),
    ...(qops ? ['qop=auth', `nc=${count}`, `cnonce="${cnonce}"`] : []),
  ];
  return { name, value: `Digest ${parts.join(', ')}` };
}

const quote = (text: string) => `"${text.replace(/(["\\])/g, '\\$1')}"`;
