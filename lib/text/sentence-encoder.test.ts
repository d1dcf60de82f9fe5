import { expect, it } from 'vitest';
import { manualClock } from '#lib/ports/testing.ts';
import { createSentenceEncoder } from './sentence-encoder.ts';

it('the encoder is loaded with a sentence, let go when none came for a minute, and loaded again', async () => {
  const clock = manualClock();
  const encoder = createSentenceEncoder({ clock });
  expect(encoder.isLoaded()).toBe(false);
  const [before] = await encoder.encode(['When are you open?']);
  await clock.advance(59_999);
  expect(encoder.isLoaded()).toBe(true);
  await clock.advance(1);
  expect(encoder.isLoaded()).toBe(false);
  const [after] = await encoder.encode(['When are you open?']);
  expect(after).toEqual(before);
  await clock.advance(60_000);
});
