import { createCipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import type { SrtpSuite } from './sdp.ts';

/** SRTP and SRTCP with a key that was exchanged in the SDP (RFC 3711, RFC 4568): AES in counter mode, HMAC-SHA1. */
export type SrtpContext = {
  protectRtp(packet: Buffer): Buffer;
  /** Undefined for packets that are forged, broken or came before. */
  unprotectRtp(packet: Buffer): Buffer | undefined;
  protectRtcp(packet: Buffer): Buffer;
  unprotectRtcp(packet: Buffer): Buffer | undefined;
};

const KEY_BYTES = 16;
const SALT_BYTES = 14;
export const MASTER_BYTES = KEY_BYTES + SALT_BYTES;
const AUTH_KEY_BYTES = 20;
const RTCP_TAG_BYTES = 10;
const RTCP_HEADER_BYTES = 8;
/** Of packets that came before, so many are remembered to be told from new ones. */
const REPLAY_WINDOW = 64;
const LABELS = { rtp: 0, rtcp: 3 } as const;

/** One direction of a call. `master` is key and salt, 30 bytes. */
export function createSrtpContext(suite: SrtpSuite, master: Buffer): SrtpContext {
  const tagBytes = suite.endsWith('_32') ? 4 : 10;
  const rtp = deriveKeys(master, LABELS.rtp);
  const rtcp = deriveKeys(master, LABELS.rtcp);
  const sending = createRollover();
  const receiving = createRollover();
  const seen = createReplayWindow();
  const seenRtcp = createReplayWindow();
  let rtcpIndex = 0;

  const tagOf = (packet: Buffer, rollover: number) =>
    sign(rtp.auth, Buffer.concat([packet, uint32(rollover)])).subarray(0, tagBytes);

  return {
    protectRtp(packet) {
      const sequence = packet.readUInt16BE(2);
      const index = sending.indexOf(sequence);
      sending.advance(index);
      const encrypted = applyKeystream(packet, headerBytes(packet), rtp, packet.readUInt32BE(8), index);
      return Buffer.concat([encrypted, tagOf(encrypted, Math.floor(index / 65_536))]);
    },
    unprotectRtp(packet) {
      if (packet.length < 12 + tagBytes) return undefined;
      const encrypted = packet.subarray(0, -tagBytes);
      const start = headerBytes(encrypted);
      const index = receiving.indexOf(encrypted.readUInt16BE(2));
      if (start > encrypted.length || seen.has(index)) return undefined;
      const tag = tagOf(encrypted, Math.floor(index / 65_536));
      if (!timingSafeEqual(tag, packet.subarray(-tagBytes))) return undefined;
      seen.add(index);
      receiving.advance(index);
      return applyKeystream(encrypted, start, rtp, encrypted.readUInt32BE(8), index);
    },
    protectRtcp(packet) {
      rtcpIndex += 1;
      const encrypted = applyKeystream(packet, RTCP_HEADER_BYTES, rtcp, packet.readUInt32BE(4), rtcpIndex);
      // The highest bit says that it is encrypted.
      const signed = Buffer.concat([encrypted, uint32((rtcpIndex | 0x8000_0000) >>> 0)]);
      return Buffer.concat([signed, sign(rtcp.auth, signed).subarray(0, RTCP_TAG_BYTES)]);
    },
    unprotectRtcp(packet) {
      if (packet.length < RTCP_HEADER_BYTES + 4 + RTCP_TAG_BYTES) return undefined;
      const signed = packet.subarray(0, -RTCP_TAG_BYTES);
      const tag = sign(rtcp.auth, signed).subarray(0, RTCP_TAG_BYTES);
      if (!timingSafeEqual(tag, packet.subarray(-RTCP_TAG_BYTES))) return undefined;
      const trailer = signed.readUInt32BE(signed.length - 4);
      const index = trailer & 0x7fff_ffff;
      if (seenRtcp.has(index)) return undefined;
      seenRtcp.add(index);
      const body = signed.subarray(0, -4);
      if (trailer >>> 31 === 0) return body;
      return applyKeystream(body, RTCP_HEADER_BYTES, rtcp, body.readUInt32BE(4), index);
    },
  };
}

type Keys = { cipher: Buffer; auth: Buffer; salt: Buffer };

/** Section 4.3: keys of a session are a stream that the master key makes, each from a place of its own. */
function deriveKeys(master: Buffer, firstLabel: number): Keys {
  const derive = (label: number, bytes: number) => {
    const start = Buffer.alloc(16);
    master.copy(start, 0, KEY_BYTES, MASTER_BYTES);
    start[7] = (start[7] ?? 0) ^ label;
    return createCipheriv('aes-128-ctr', master.subarray(0, KEY_BYTES), start).update(Buffer.alloc(bytes));
  };
  return {
    cipher: derive(firstLabel, KEY_BYTES),
    auth: derive(firstLabel + 1, AUTH_KEY_BYTES),
    salt: derive(firstLabel + 2, SALT_BYTES),
  };
}

/** Section 4.1.1; encrypting and decrypting are the same. The first `start` bytes stay in the clear. */
function applyKeystream(packet: Buffer, start: number, keys: Keys, ssrc: number, index: number): Buffer {
  const counter = Buffer.alloc(16);
  keys.salt.copy(counter);
  counter.writeUInt32BE((counter.readUInt32BE(4) ^ ssrc) >>> 0, 4);
  counter.writeUInt32BE((counter.readUInt32BE(8) ^ Math.floor(index / 65_536)) >>> 0, 8);
  counter.writeUInt16BE(counter.readUInt16BE(12) ^ (index & 0xffff), 12);
  const stream = createCipheriv('aes-128-ctr', keys.cipher, counter);
  return Buffer.concat([packet.subarray(0, start), stream.update(packet.subarray(start))]);
}

const sign = (key: Buffer, data: Buffer) => createHmac('sha1', key).update(data).digest();

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

/** With its list of sources and its extension. */
function headerBytes(packet: Buffer): number {
  const first = packet[0] ?? 0;
  const sources = 12 + 4 * (first & 0x0f);
  if ((first & 0x10) === 0) return sources;
  return sources + 4 <= packet.length ? sources + 4 + 4 * packet.readUInt16BE(sources + 2) : sources;
}

/** Counts on over the 16 bits of the sequence numbers (section 3.3.1). */
function createRollover() {
  let highest: number | undefined;
  return {
    indexOf: (sequence: number) =>
      highest === undefined ? sequence : Math.max(0, highest + (((sequence - highest) << 16) >> 16)),
    advance(index: number) {
      highest = Math.max(highest ?? index, index);
    },
  };
}

function createReplayWindow() {
  let highest = -1;
  let seen = new Set<number>();
  return {
    has: (index: number) => index <= highest - REPLAY_WINDOW || seen.has(index),
    add(index: number) {
      highest = Math.max(highest, index);
      seen.add(index);
      if (seen.size > 2 * REPLAY_WINDOW)
        seen = new Set([...seen].filter((one) => one > highest - REPLAY_WINDOW));
    },
  };
}
