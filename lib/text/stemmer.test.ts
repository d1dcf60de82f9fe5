import { expect, it } from 'vitest';
import { stem } from './stemmer.ts';

it.each([
  ['appointment', 'appointments'],
  ['emergency', 'emergencies'],
  ['book', 'booking', 'booked'],
  ['price', 'prices', 'priced', 'pricing'],
  ['plan', 'planned', 'planning'],
  ['quick', 'quickly'],
])('joins %s with its forms', (word, ...forms) => {
  for (const form of forms) expect(stem(form)).toBe(stem(word));
});

it.each([
  ['university', 'universe'],
  ['organ', 'organization'],
  ['business', 'busy'],
  ['experience', 'experiment'],
  ['policy', 'police'],
])('keeps %s and %s apart', (one, other) => {
  expect(stem(one)).not.toBe(stem(other));
});

it('leaves short words and codes as they are', () => {
  expect(['bus', 'as', 'b2bs', 'x100ing'].map(stem)).toEqual(['bus', 'as', 'b2bs', 'x100ing']);
});
