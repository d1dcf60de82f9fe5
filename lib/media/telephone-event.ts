/** Keys that are pressed during a call, as RTP payloads at 8 kHz (RFC 4733). */
const KEYS = '0123456789*#ABCD';

/** The payload of one packet of a key that has been down for `duration` samples. */
export function encodeTelephoneEvent(event: { digit: string; isEnd: boolean; duration: number }): Uint8Array {
  const { digit, isEnd, duration } = event;
  // −10 dBm0, as handsets do.
  return Uint8Array.of(KEYS.indexOf(digit), (isEnd ? 0x80 : 0) | 10, duration >> 8, duration & 0xff);
}

/** The key of a packet; undefined for events that are no keys (flash, tones of fax machines) and for broken packets. */
export function decodeTelephoneEvent(payload: Uint8Array): { digit: string; isEnd: boolean } | undefined {
  const [code, flags] = payload;
  if (code === undefined || flags === undefined || payload.length < 4) return undefined;
  const digit = KEYS[code];
  return digit === undefined ? undefined : { digit, isEnd: (flags & 0x80) !== 0 };
}

/** Tells each key once, although it comes in many packets, any of which may be lost. */
export function createDigitReceiver(): (timestamp: number, payload: Uint8Array) => string | undefined {
  let last: number | undefined;
  return (timestamp, payload) => {
    const event = decodeTelephoneEvent(payload);
    // A packet of the key before that was overtaken is older.
    if (!event || (last !== undefined && ((timestamp - last) | 0) <= 0)) return undefined;
    last = timestamp;
    return event.digit;
  };
}

const LOW_HZ = [697, 770, 852, 941];
const HIGH_HZ = [1_209, 1_336, 1_477, 1_633];
const ROWS = ['123A', '456B', '789C', '*0#D'];

/** The two tones of a key (ITU-T Q.23), for a far end that takes no events. */
export function digitTone(digit: string, options: { rateHz: number; durationMs: number }): Int16Array {
  const row = ROWS.findIndex((keys) => keys.includes(digit));
  const low = LOW_HZ[row] ?? 0;
  const high = HIGH_HZ[ROWS[row]?.indexOf(digit) ?? 0] ?? 0;
  const { rateHz, durationMs } = options;
  return Int16Array.from({ length: (rateHz * durationMs) / 1_000 }, (_, index) => {
    const turn = (2 * Math.PI * index) / rateHz;
    return Math.round(5_000 * Math.sin(low * turn) + 6_000 * Math.sin(high * turn));
  });
}
