import { isRtp, RtpPacket } from 'rtp.js/packets';
import { expect, it } from 'vitest';
import { seededRandom } from '#lib/media/testing.ts';
import { readRtpHeader } from './rtp-header.ts';

/** What the library reads; undefined for what it refuses. */
function readByLibrary(bytes: Buffer) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  try {
    if (!isRtp(view)) return undefined;
    const packet = new RtpPacket(view);
    const payload = packet.getPayload();
    const payloadStart = payload.byteOffset - bytes.byteOffset;
    return {
      payloadType: packet.getPayloadType(),
      sequence: packet.getSequenceNumber(),
      timestamp: packet.getTimestamp(),
      ssrc: packet.getSsrc(),
      payloadStart,
      payloadEnd: payloadStart + payload.byteLength,
    };
  } catch {
    return undefined;
  }
}

it('whatever comes, the header is read as the library reads it', () => {
  const random = seededRandom(20_318);
  const byte = (most = 256) => Math.floor(random() * most);
  const seen = { read: 0, refused: 0 };
  for (let packet = 0; packet < 4_000; packet += 1) {
    const bytes = Buffer.from(Array.from({ length: byte(90) }, () => byte()));
    // Most are RTP: with or without sources, an extension of its own kind, padding.
    if (bytes.length > 0 && packet % 10 !== 0)
      bytes[0] = 0x80 | (byte(8) === 0 ? byte(64) : byte(4) * 16 + byte(3));
    const start = 12 + 4 * ((bytes[0] ?? 0) & 0x0f);
    // Of a kind whose inside nobody reads.
    if (((bytes[0] ?? 0) & 0x10) !== 0 && bytes.length > start + 4)
      bytes.writeUInt32BE(0xabac_0000 + byte(4), start);
    if (bytes.length > 0 && packet % 3 === 0) bytes[bytes.length - 1] = byte(6);
    const expected = readByLibrary(bytes);
    seen[expected ? 'read' : 'refused'] += 1;
    expect(readRtpHeader(bytes)).toEqual(expected);
  }
  expect(Math.min(seen.read, seen.refused)).toBeGreaterThan(400);
});
