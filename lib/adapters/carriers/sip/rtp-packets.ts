import { RtpPacket } from 'rtp.js/packets';

/** A packet of a fixed size that is written where it lies, and again when it was sent. */
export type KeptPacket = {
  /** Header and payload, as they are sent. */
  bytes: Buffer;
  /** Writes the header. */
  rtp: Pick<RtpPacket, 'setPayloadType' | 'setSequenceNumber' | 'setTimestamp' | 'setSsrc' | 'setMarker'>;
  payload: Uint8Array;
  /** The bytes were sent, and may be changed again. */
  release(): void;
};

const HEADER_BYTES = 12;
/** Without extension, list of sources and padding (RFC 3550, section 5.1). */
const VERSION_2 = 0x80;

/**
 * Gives packets to be filled: memory of its own for each would be collected every second, and what is late meanwhile is heard
 * (docs/decisions/0318). One is enough for a call unless the network takes no more.
 */
export function createPackets(payloadBytes: number): () => KeptPacket {
  const free: KeptPacket[] = [];

  function create(): KeptPacket {
    const bytes = Buffer.alloc(HEADER_BYTES + payloadBytes);
    bytes[0] = VERSION_2;
    const packet: KeptPacket = {
      bytes,
      rtp: new RtpPacket(new DataView(bytes.buffer, bytes.byteOffset, bytes.length)),
      payload: bytes.subarray(HEADER_BYTES),
      release: () => void free.push(packet),
    };
    return packet;
  }

  return () => free.pop() ?? create();
}
