import { afterAll, describe, expect, it } from 'vitest';
import { manualClock } from '#lib/ports/testing.ts';
import { createFliteThreads } from './speech-flite-threads.ts';

const clock = manualClock();
const threads = createFliteThreads(1, clock);
afterAll(() => threads.close());

const speak = (text: string, neededInMs = 0, signal?: AbortSignal) =>
  threads.speak({ voice: 'kal16', text, neededInMs: () => neededInMs, signal });

describe('the threads of the local voices', () => {
  it('speak first what is needed first, whoever asked first', async () => {
    const done: string[] = [];
    const say = (text: string, neededInMs: number) =>
      speak(text, neededInMs).then(() => done.push(`${text} ${neededInMs}`));
    await Promise.all([
      say('Begun.', 0),
      say('Ahead.', 6_000),
      say('Ahead.', 3_000),
      say('Now.', 0),
      say('Now.', 1),
    ]);
    // Nothing is begun before the first thread is there: all of them were asked for by then.
    expect(done).toEqual(['Begun. 0', 'Now. 0', 'Now. 1', 'Ahead. 3000', 'Ahead. 6000']);
  });

  it('leave out what nobody wants any more', async () => {
    const unwanted = new AbortController();
    const first = speak('First.');
    const second = speak('Second.', 5_000, unwanted.signal);
    unwanted.abort(new Error('cut short'));
    await expect(second).rejects.toThrow('cut short');
    expect((await first).length).toBeGreaterThan(0);
  });

  it('tell what went wrong, and go on', async () => {
    await expect(speak('No such voice.', 0, AbortSignal.abort(new Error('too late')))).rejects.toThrow(
      'too late',
    );
    expect((await speak('Still here.')).length).toBeGreaterThan(0);
  });

  it('end when nothing was said for a minute, and start again with the next text', async () => {
    await speak('Before.');
    await clock.advance(59_999);
    expect(threads.count()).toBe(1);
    await clock.advance(1);
    expect(threads.count()).toBe(0);
    expect((await speak('After.')).length).toBeGreaterThan(0);
  });
});
