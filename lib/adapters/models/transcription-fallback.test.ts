import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tone } from '#lib/media/testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { createOpenAiTranscriber } from './openai/transcription-found.ts';
import { startTranscriptionServer } from './openai/transcription-testing.ts';
import { createTranscriberWithFallback } from './transcription-fallback.ts';

const speech = tone(500, { hz: 300, db: -12 });
const listening = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };
let server: Awaited<ReturnType<typeof startTranscriptionServer>>;
let call: AbortController;
beforeEach(async () => {
  server = await startTranscriptionServer();
  call = new AbortController();
});
afterEach(() => {
  call.abort();
  return server.close();
});

function open(way: 'realtime' | 'batch' = 'batch') {
  const clock = manualClock();
  const modelOf = (model: string, ways: readonly ('realtime' | 'batch')[]) =>
    createOpenAiTranscriber({ apiKey: 'key', baseUrl: server.baseUrl, model, ways, clock });
  const transcriber = createTranscriberWithFallback({
    first: modelOf('first', [way]),
    second: modelOf('second', ['batch']),
    clock,
  });
  return {
    clock,
    transcriber,
    begin() {
      const stretch = transcriber.open({ ...listening, signal: call.signal }).begin(() => undefined);
      stretch.write(speech);
      const ask = async (asked: Pick<typeof stretch, 'transcribe'> | undefined) =>
        (await asked?.transcribe(call.signal))?.text;
      return { stretch, ask };
    },
  };
}

const askedModels = () => server.state.asked.map(({ fields }) => fields.model);
const WORDS = 'word word word word word';

describe('a second model for transcription', () => {
  it('costs nothing while the first one answers', async () => {
    const { stretch, ask } = open().begin();
    expect(await ask(stretch)).toBe(WORDS);
    expect(askedModels()).toEqual(['first']);
  });

  it.each(['realtime', 'batch'] as const)(
    'has heard all that the first one has, which fails (%s)',
    async (way) => {
      server.state.manners = { second: 'works' };
      server.behave('fails');
      const { stretch, ask } = open(way).begin();
      await expect(ask(stretch)).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
      stretch.write(speech);
      // A word for each 100 ms that are loud, and a tone is not all loud.
      expect((await ask(stretch.other))?.split(' ')).toHaveLength(9);
      expect(stretch.other?.model).toBe('second');
    },
  );

  it('is asked while the first one hangs', async () => {
    server.state.manners = { first: 'hangs' };
    const { stretch, ask } = open().begin();
    const hanging = ask(stretch).catch(() => 'never');
    expect(await ask(stretch.other)).toBe(WORDS);
    call.abort();
    expect(await hanging).toBe('never');
  });

  it('is asked first for a minute after the first one failed or hung', async () => {
    server.state.manners = { first: 'fails' };
    const { begin, clock } = open();
    const failing = begin();
    await expect(failing.ask(failing.stretch)).rejects.toThrow();
    const next = begin();
    expect(next.stretch.model).toBe('second');
    expect(next.stretch.other?.model).toBe('first');
    await clock.advance(61_000);
    server.state.manners = {};
    const later = begin();
    expect(later.stretch.model).toBe('first');
    expect(await later.ask(later.stretch)).toBe(WORDS);
  });

  it('hears where the server has no way to the first one', async () => {
    server.state.lacks = ['realtime'];
    const { transcriber, begin } = open('realtime');
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(false);
    const { stretch, ask } = begin();
    expect(stretch.model).toBe('second');
    expect(await ask(stretch)).toBe(WORDS);
  });

  it('is missing where both are', async () => {
    server.state.lacks = ['realtime', 'batch'];
    const { transcriber } = open();
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(true);
  });
});
