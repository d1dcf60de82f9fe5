import { expect, it } from 'vitest';
import type { SpeechEvent } from '#lib/ports/carrier.ts';
import { createWrittenWords } from './written-words.ts';

/** How long the turn may still go on after each of these words, which a browser recognised. */
function waitsAfter(texts: string[], given: { language?: string; asked?: string } = {}) {
  const events: SpeechEvent[] = [];
  const written = createWrittenWords({
    language: given.language ?? null,
    onEvent: (event) => events.push(event),
  });
  if (given.asked) written.agentSaid(given.asked);
  for (const [index, text] of texts.entries()) {
    written.take({ type: 'text', state: 'interim', text, atMs: index * 2_000 });
    written.take({ type: 'text', state: 'recognized', text, atMs: index * 2_000 + 1_000 });
  }
  return events.flatMap((event) => (event.type === 'utterance' ? [event.endOfTurnMs ?? Number.NaN] : []));
}

it('answers soon after whole words that a browser recognised, and waits for the rest of others', () => {
  const [whole = Number.NaN, unfinished = Number.NaN] = waitsAfter([
    'I need an appointment',
    'on Tuesday and',
  ]);
  expect(whole).toBeLessThan(200);
  expect(unfinished).toBeGreaterThan(1_000);
});

it('knows the language of the call, and what was asked', () => {
  expect(waitsAfter(['am Dienstag und'], { language: 'de-DE' })[0]).toBeGreaterThan(1_000);
  expect(waitsAfter(['four seven one'], { asked: 'What is your phone number?' })[0]).toBeGreaterThan(1_000);
});

it('learns how long this person pauses', () => {
  const waits = waitsAfter(['hello there', 'a room please', 'two nights', 'next week']);
  expect(waits.at(-1)).toBeGreaterThan((waits[0] ?? 0) + 200);
});
