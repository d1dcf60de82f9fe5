import type { Logger } from '#lib/log.ts';
import { answerChallenge, type Credentials } from './digest.ts';
import type { Flow } from './flow.ts';
import { tagOf } from './grammar.ts';
import { header, type SipRequest, type SipResponse } from './message.ts';

/** Addresses and realms that are remembered: a trunk has a few of each. */
const MOST_KNOWN = 100;
const MOST_REALM_LENGTH = 200;

/** Who may be told the trunk's password, hashed: the trunk, for its own realm. */
export type TrunkDigest = {
  /** Requests that begin something go to the trunk only: this address is the trunk's. */
  reached(address: string): void;
  hasReached(address: string): boolean;
  /** What the request lacks, see `answerChallenge`; undefined for a challenge of anybody else. */
  answer(
    request: SipRequest,
    response: SipResponse,
    flow: Pick<Flow, 'remote'>,
  ): ReturnType<typeof answerChallenge>;
};

/**
 * `realms`: those of SIP_TRUNK_REALM. Without it a realm is learnt: from a challenge to a REGISTER, which nobody passes on,
 * or from the first one to an INVITE, as a trunk that asks at all asks before it passes on. A peer that could name its own
 * realm, or challenge a BYE, would collect answers to guess the password with.
 */
export function createTrunkDigest(options: {
  credentials: Credentials | undefined;
  realms: readonly string[];
  log: Logger;
}): TrunkDigest {
  const { credentials, realms, log } = options;
  const addresses = new Set<string>();
  const known = new Set(realms);

  function mayAnswer(realm: string, request: SipRequest, address: string): boolean {
    if (!addresses.has(address)) return false;
    if (known.has(realm)) return true;
    const isWithinCall = tagOf(header(request, 'to')) !== undefined;
    const isNew = request.method === 'REGISTER' || known.size === 0;
    if (isWithinCall || realms.length > 0 || !isNew || known.size >= MOST_KNOWN) return false;
    known.add(realm);
    return true;
  }

  return {
    reached(address) {
      if (addresses.size < MOST_KNOWN) addresses.add(address);
    },
    hasReached: (address) => addresses.has(address),
    answer(request, response, { remote }) {
      if (!credentials) return undefined;
      const refused: string[] = [];
      const proof = answerChallenge(request, response, (realm) => {
        if (mayAnswer(realm, request, remote.address)) return credentials;
        refused.push(realm.slice(0, MOST_REALM_LENGTH));
        return undefined;
      });
      if (!proof && refused.length > 0)
        log.warn({
          event: 'sip_challenge_not_answered',
          method: request.method,
          peer: remote.address,
          realms: refused,
          hint: 'The password of the trunk is for the trunk and its realm only; SIP_TRUNK_REALM names further realms of it',
        });
      return proof;
    },
  };
}
