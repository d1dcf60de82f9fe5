import { expect, it } from 'vitest';
import {
  createDigitReceiver,
  decodeTelephoneEvent,
  digitTone,
  encodeTelephoneEvent,
} from './telephone-event.ts';

const pressed = (digit: string, duration: number, isEnd = false) =>
  encodeTelephoneEvent({ digit, isEnd, duration });

it('tells a key once, whichever of its packets arrive', () => {
  const receive = createDigitReceiver();
  const told = [
    [800, pressed('5', 160)],
    [800, pressed('5', 320)],
    [800, pressed('5', 800, true)],
    [800, pressed('5', 800, true)],
    // All but the last packet were lost.
    [2_400, pressed('5', 800, true)],
    [800, pressed('5', 800, true)],
    [4_000, pressed('#', 160)],
  ] as const;
  expect(told.map(([timestamp, payload]) => receive(timestamp, payload))).toEqual([
    '5',
    undefined,
    undefined,
    undefined,
    '5',
    undefined,
    '#',
  ]);
});

it('has the bytes of RFC 4733, and takes nothing else', () => {
  expect([...pressed('#', 400, true)]).toEqual([11, 0x8a, 1, 144]);
  for (const bytes of [[], [1], [1, 10, 0], [16, 10, 0, 160], [255, 255, 255, 255]])
    expect(decodeTelephoneEvent(Uint8Array.from(bytes))).toBeUndefined();
});

it('sounds the two tones of the key', () => {
  const tone = digitTone('6', { rateHz: 8_000, durationMs: 100 });
  const strength = (hz: number) => {
    const sum = (of: (turn: number) => number) =>
      tone.reduce((total, sample, at) => total + sample * of((2 * Math.PI * hz * at) / 8_000), 0);
    return Math.hypot(sum(Math.sin), sum(Math.cos)) / tone.length;
  };
  expect(Math.min(strength(770), strength(1_477))).toBeGreaterThan(
    (20 * Math.max(strength(697), strength(1_336))) / 4,
  );
});
