import { encodeG711, SILENT_BYTE, type TelephoneCoding } from '#lib/media/g711.ts';
import { SILENT_FRAME } from '#lib/media/media-output.ts';
import { createResampler } from '#lib/media/resample.ts';
import { digitTone, encodeTelephoneEvent } from '#lib/media/telephone-event.ts';
import { FRAME_SAMPLES, SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import { createPackets, type KeptPacket } from './rtp-packets.ts';

/** Of G.711: samples of a packet of 20 ms. */
const PACKET_SAMPLES = 160;
/** Of a key's packet (RFC 4733, section 2.3). */
const EVENT_BYTES = 4;
/** A key is down for 100 ms and up for as long, which every exchange understands. */
const KEY_PACKETS = 5;
const PAUSE_PACKETS = 5;
/** The end of a key is sent three times: without it a key would seem to be held down (RFC 4733, section 2.5.1.4). */
const END_REPEATS = 3;
/** A resampler that was fed silence for so many frames has nothing left in it. */
const SETTLED_FRAMES = 3;

/** Of one frame at a telephone's rate, coded before the next one is made: shared by all calls. */
const telephoneFrame = new Int16Array(FRAME_SAMPLES / 2 + 1);

export type SendFormat = {
  coding: TelephoneCoding;
  payloadType: number;
  eventPayloadType: number | undefined;
};

type Key = { digit: string; packetsSent: number; done(wasSent: boolean): void };

/**
 * Makes RTP packets of frames: one each 20 ms, or three more at the end of a key. A packet is its taker's until he says that
 * it was sent.
 */
export function createRtpSender(options: {
  random32: () => number;
  send(packet: Buffer, onSent: () => void): void;
}) {
  const { random32, send } = options;
  const nextPacket = createPackets(PACKET_SAMPLES);
  const nextEventPacket = createPackets(EVENT_BYTES);
  const ssrc = random32();
  let sequence = random32() & 0xffff;
  let timestamp = random32();
  let isFirst = true;
  let packetCount = 0;
  let octetCount = 0;
  let quietFrames = 0;
  let toTelephone = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: 8_000 });
  let keys: Key[] = [];
  let keyTimestamp = 0;

  function sendPacket(packet: { payloadType: number; at: number; marker: boolean }, kept: KeptPacket): void {
    const { rtp, bytes, release } = kept;
    rtp.setPayloadType(packet.payloadType);
    rtp.setSequenceNumber(sequence);
    rtp.setTimestamp(packet.at >>> 0);
    rtp.setSsrc(ssrc);
    rtp.setMarker(packet.marker);
    send(bytes, release);
    sequence = (sequence + 1) & 0xffff;
    packetCount += 1;
    octetCount += kept.payload.length;
  }

  function encodeFrame(frame: Int16Array, coding: TelephoneCoding, into: Uint8Array): void {
    quietFrames = frame === SILENT_FRAME ? quietFrames + 1 : 0;
    // Most of what a patient agent sends is silence, which needs no work.
    if (quietFrames > SETTLED_FRAMES) into.fill(SILENT_BYTE[coding]);
    else encodeG711(coding, toTelephone.process(frame, telephoneFrame), into);
  }

  function sendKey(key: Key, payloadType: number): void {
    if (key.packetsSent === 0) keyTimestamp = timestamp;
    key.packetsSent += 1;
    if (key.packetsSent > KEY_PACKETS) return;
    const isEnd = key.packetsSent === KEY_PACKETS;
    const event = { digit: key.digit, isEnd, duration: key.packetsSent * PACKET_SAMPLES };
    for (let copy = 0; copy < (isEnd ? END_REPEATS : 1); copy += 1) {
      const kept = nextEventPacket();
      kept.payload.set(encodeTelephoneEvent(event));
      sendPacket({ payloadType, at: keyTimestamp, marker: key.packetsSent === 1 }, kept);
    }
  }

  /** What is heard of a key where the far end takes no events. */
  function keyFrame(key: Key, frame: Int16Array): Int16Array {
    key.packetsSent += 1;
    if (key.packetsSent > KEY_PACKETS) return frame;
    const tone = digitTone(key.digit, { rateHz: SAMPLE_RATE_HZ, durationMs: 20 * KEY_PACKETS });
    return tone.slice((key.packetsSent - 1) * frame.length, key.packetsSent * frame.length);
  }

  function settleKey(key: Key): void {
    if (key.packetsSent < KEY_PACKETS + PAUSE_PACKETS) return;
    keys.shift();
    key.done(true);
  }

  return {
    ssrc,
    counts: () => ({ packetCount, octetCount, timestamp: timestamp >>> 0 }),
    /** 20 ms of sound, or the key that is to be pressed instead. `isHeld`: time goes on and nothing is sent. */
    sendFrame(frame: Int16Array, format: SendFormat, isHeld: boolean): void {
      const key = isHeld ? undefined : keys[0];
      if (isHeld) isFirst = true;
      else if (key && format.eventPayloadType !== undefined && key.packetsSent < KEY_PACKETS) {
        sendKey(key, format.eventPayloadType);
      } else {
        if (key && format.eventPayloadType !== undefined) key.packetsSent += 1;
        const heard = key && format.eventPayloadType === undefined ? keyFrame(key, frame) : frame;
        const kept = nextPacket();
        encodeFrame(heard, format.coding, kept.payload);
        sendPacket({ payloadType: format.payloadType, at: timestamp, marker: isFirst }, kept);
        isFirst = false;
      }
      if (key) settleKey(key);
      timestamp += PACKET_SAMPLES;
    },
    /** Resolves when all keys were pressed: true, or false where the call ended before. */
    pressKeys(digits: string): Promise<boolean> {
      const pressed = digits
        .split('')
        .map((digit) => new Promise<boolean>((done) => keys.push({ digit, packetsSent: 0, done })));
      return Promise.all(pressed).then((all) => all.every(Boolean));
    },
    /** Begins the next sound like the first: after a hold, and for a far end that changed. */
    restart(): void {
      isFirst = true;
      toTelephone = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: 8_000 });
    },
    end(): void {
      for (const key of keys) key.done(false);
      keys = [];
    },
  };
}
