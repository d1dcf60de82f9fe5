import ipaddr from 'ipaddr.js';
import type { PacerClock } from '#lib/media/pacer.ts';
import type { Address } from './flow.ts';
import type { RemoteAudio } from './sdp.ts';

/** So long without a packet from where they came, and another port of the far end may take its place. */
const FORSAKEN_MS = 1_000;
/** So many packets in a row from one source, 100 ms of sound, and it is where the sound comes from. */
const LEARNT_AFTER = 5;

/** What both sides said of where the far end is. */
type Signalled = {
  remote: Pick<RemoteAudio, 'address' | 'rtcpPort'>;
  /** The address that signals for the far end. */
  signalledBy: string;
  /** Packets prove by their keys that they are the far end's. */
  isEncrypted: boolean;
};

export type RtpSource = {
  signalled(told: Signalled): void;
  /** Whether a packet is the far end's sound. */
  accepts(from: Address): boolean;
  /** Whether a report is the far end's. */
  acceptsRtcp(from: Address): boolean;
  /** Where sound goes to; undefined while that is not known. */
  target(): Address | undefined;
  rtcpTarget(): Address | undefined;
};

/**
 * Where the sound of a call comes from and goes to. Packets are taken from the address in the SDP and from the one that
 * signals, since behind a NAT the first is often of no use; the port may be another one than was said (symmetric RTP, RFC
 * 4961). Nobody else can break into a call, whatever they send and however silent it is, unless their packets carry its keys.
 */
export function createRtpSource(clock: PacerClock): RtpSource {
  let told: Signalled | undefined;
  let latched: (Address & { lastMs: number }) | undefined;
  let candidate: (Address & { packets: number }) | undefined;

  const isAt = (place: Address | undefined, { address, port }: Address) =>
    place?.address === address && place.port === port;
  const mayBe = ({ address }: Address) =>
    told !== undefined &&
    (told.isEncrypted || [told.remote.address.address, told.signalledBy].some((own) => isSame(own, address)));

  /** Counts packets in a row: one that was thrown in takes nothing over. */
  function isLearnt(from: Address): boolean {
    if (!isAt(candidate, from)) candidate = { ...from, packets: 0 };
    if (candidate) candidate.packets += 1;
    return (candidate?.packets ?? 0) >= LEARNT_AFTER;
  }

  return {
    signalled(next) {
      const before = told?.remote.address;
      if (before && !isAt(before, next.remote.address)) latched = undefined;
      told = next;
    },
    accepts(from) {
      const nowMs = clock.nowMs();
      if (latched && isAt(latched, from)) {
        latched.lastMs = nowMs;
        candidate = undefined;
        return true;
      }
      if (!told || !mayBe(from)) return false;
      if (latched && nowMs - latched.lastMs < FORSAKEN_MS) return false;
      const isWhereSaid = !latched && isAt(told.remote.address, from);
      if (!isWhereSaid && !isLearnt(from)) return false;
      latched = { address: from.address, port: from.port, lastMs: nowMs };
      candidate = undefined;
      return true;
    },
    acceptsRtcp: (from) => isSame(latched?.address ?? '', from.address) || mayBe(from),
    target: () =>
      latched ?? (told && !isNowhere(told.remote.address.address) ? told.remote.address : undefined),
    rtcpTarget() {
      if (!told || isNowhere(told.remote.address.address)) return undefined;
      const { address } = told.remote.address;
      if (latched && latched.address !== address) return { address: latched.address, port: latched.port + 1 };
      return { address, port: told.remote.rtcpPort };
    },
  };
}

const isNowhere = (address: string) => address === '0.0.0.0' || address === '::';

/** Sockets for both families write IPv4 addresses as `::ffff:192.0.2.1`, and IPv6 ones may be written in many ways. */
function isSame(one: string, other: string): boolean {
  if (one === other) return true;
  return (
    ipaddr.isValid(one) &&
    ipaddr.isValid(other) &&
    ipaddr.process(one).toString() === ipaddr.process(other).toString()
  );
}
