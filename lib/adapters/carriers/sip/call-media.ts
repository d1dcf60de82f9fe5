import { randomBytes } from 'node:crypto';
import type { RtpSession } from './rtp-session.ts';
import type { RtpAgreement } from './rtp-wire.ts';
import {
  answerDirection,
  type Direction,
  type LocalAudio,
  readRemote,
  type RemoteAudio,
  type SrtpSuite,
  writeAnswer,
  writeOffer,
} from './sdp.ts';
import { MASTER_BYTES } from './srtp.ts';

/** What is agreed on about a call's sound, by offers and answers in either direction (RFC 3264). */
export type CallMedia = {
  /** All that we can do; sent in our INVITE, or in answer to one without an offer. */
  offer(): string;
  /** The same in the clear, for a peer that refused an encrypted one; undefined where that was in the clear already. */
  offerInTheClear(): string | undefined;
  /** The answer to an offer, which is in force from now on; undefined where there is nothing in it for us. */
  answer(offer: string): string | undefined;
  /** Takes the answer to our offer; false where it cannot be used. */
  takeAnswer(answer: string): boolean;
};

type Key = { tag: number; suite: SrtpSuite; key: string };

export function createCallMedia(options: {
  rtp: RtpSession;
  /** What the peer can reach us at. */
  address: string;
  /** The address that signals for the far end. */
  peer: string;
  sessionId: number;
  /** Offers encrypted sound and nothing else. An encrypted offer is always answered. */
  offersEncryption: boolean;
  /** The peer does not want to hear us any more, or again; told with each agreement. */
  onHold(isHeld: boolean): void;
}): CallMedia {
  const { rtp, address, sessionId, onHold } = options;
  let { offersEncryption } = options;
  let version = 0;
  let direction: Direction = 'sendrecv';
  let ownKey: Key | undefined;
  let lastKeys = '';

  const local = (): LocalAudio => ({
    address: { address, port: rtp.port },
    sessionId,
    version: (version += 1),
    direction,
    crypto: ownKey,
  });

  function agree(remote: RemoteAudio): void {
    // Only what the peer sends and wants to hear, whoever of us offered.
    const maySend = remote.direction === 'sendrecv' || remote.direction === 'recvonly';
    const mayHear = remote.direction === 'sendrecv' || remote.direction === 'sendonly';
    rtp.agree({ remote, signalledBy: options.peer, maySend, mayHear, srtp: keysFor(remote) });
    onHold(!maySend);
  }

  /** Only where keys changed: the counters of those before go on otherwise. */
  function keysFor(remote: RemoteAudio): RtpAgreement['srtp'] {
    if (!remote.crypto || !ownKey) return undefined;
    const keys = `${remote.crypto.key} ${ownKey.key}`;
    if (keys === lastKeys) return undefined;
    lastKeys = keys;
    return {
      outgoing: { suite: ownKey.suite, key: ownKey.key },
      incoming: { suite: remote.crypto.suite, key: remote.crypto.key },
    };
  }

  const makeKey = (tag: number, suite: SrtpSuite): Key => ({
    tag,
    suite,
    key: randomBytes(MASTER_BYTES).toString('base64'),
  });

  return {
    offer() {
      if (offersEncryption) ownKey ??= makeKey(1, 'AES_CM_128_HMAC_SHA1_80');
      return writeOffer(local());
    },
    offerInTheClear() {
      if (!ownKey) return undefined;
      offersEncryption = false;
      ownKey = undefined;
      return writeOffer(local());
    },
    answer(offer) {
      const remote = readRemote(offer, { allowsEncryption: true });
      if (!remote) return undefined;
      if (!remote.crypto) ownKey = undefined;
      else if (ownKey?.suite !== remote.crypto.suite)
        ownKey = makeKey(remote.crypto.tag, remote.crypto.suite);
      else ownKey = { ...ownKey, tag: remote.crypto.tag };
      direction = answerDirection(remote.direction);
      agree(remote);
      return writeAnswer(local(), remote, offer);
    },
    takeAnswer(answer) {
      const remote = readRemote(answer, { allowsEncryption: ownKey !== undefined });
      if (!remote || (ownKey && !remote.crypto)) return false;
      agree(remote);
      return true;
    },
  };
}
