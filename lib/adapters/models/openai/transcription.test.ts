import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeTranscriber, type TranscriptionProvider } from '#lib/ports/transcription-conformance.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { createOpenAiBatchTranscriber } from './transcription-batch.ts';
import { expectations, spokenWords } from './transcription-options.ts';
import { createOpenAiRealtimeTranscriber } from './transcription-realtime.ts';
import { startTranscriptionServer } from './transcription-testing.ts';

type Create = typeof createOpenAiBatchTranscriber;

const provide = (create: Create) => async (): Promise<TranscriptionProvider> => {
  const server = await startTranscriptionServer();
  return {
    transcriber: create({ apiKey: 'sk-test', baseUrl: server.baseUrl, model: 'gpt-live-transcribe' }),
    behave: server.behave,
    told: () => JSON.stringify([server.state.asked.at(-1)?.fields, server.state.sessions.at(-1)]),
    close: server.close,
  };
};

describeTranscriber('POST /v1/audio/transcriptions', provide(createOpenAiBatchTranscriber));
describeTranscriber('the Realtime API', provide(createOpenAiRealtimeTranscriber));

let server: Awaited<ReturnType<typeof startTranscriptionServer>>;
let call: AbortController;
beforeEach(async () => {
  server = await startTranscriptionServer();
  call = new AbortController();
});
afterEach(async () => {
  call.abort(new Error('over'));
  await server.close();
});

const sound = (ms: number) => new Int16Array(ms * 16).fill(9_000);
const never = () => new AbortController().signal;
const open = (
  create: Create,
  changes: Partial<Parameters<Transcriber['open']>[0]> = {},
  model = 'whisper-1',
) =>
  create({ apiKey: 'sk-test', baseUrl: server.baseUrl, model }).open({
    hints: [],
    language: null,
    isMultilingual: false,
    hasBargeIn: true,
    signal: call.signal,
    ...changes,
  });

describe('a request', () => {
  it('carries a WAV file of the stretch, the model and the key', async () => {
    const stretch = open(createOpenAiBatchTranscriber, {}, 'gpt-4o-transcribe').begin(() => undefined);
    stretch.write(sound(500));
    await stretch.transcribe(never());
    expect(server.state.asked).toEqual([
      { fields: { model: 'gpt-4o-transcribe', response_format: 'json' }, wavBytes: 44 + 16_000 },
    ]);
    expect(server.state.keys).toEqual(['Bearer sk-test']);
  });

  it('leaves out what the model wrote about noises, and gives the language it heard', async () => {
    server.state.decorate = (text) => `[BLANK_AUDIO] ${text} (coughs) ♪`;
    server.state.language = 'de';
    const stretch = open(createOpenAiBatchTranscriber, {}, 'gpt-4o-transcribe').begin(() => undefined);
    stretch.write(sound(200));
    expect(await stretch.transcribe(never())).toEqual({ text: 'word word', language: 'de' });
  });

  it('asks a model that can tell it when each word was said', async () => {
    const stretch = open(createOpenAiBatchTranscriber).begin(() => undefined);
    stretch.write(sound(200));
    expect(await stretch.transcribe(never())).toEqual({
      text: 'word word',
      words: [
        { text: 'word', startMs: 0, endMs: 100 },
        { text: 'word', startMs: 100, endMs: 200 },
      ],
    });
  });

  it('asks a server that does not know the question only once', async () => {
    server.state.refusesTimes = true;
    const stretch = open(createOpenAiBatchTranscriber).begin(() => undefined);
    stretch.write(sound(200));
    expect(await stretch.transcribe(never())).toEqual({ text: 'word word' });
    await stretch.transcribe(never());
    expect(server.state.asked.map(({ fields }) => fields.response_format)).toEqual([
      'verbose_json',
      'json',
      'json',
    ]);
  });

  it.each(['[Music]', ' (inaudible) ', '♪♪', ''])('takes "%s" for no words', (text) => {
    expect(spokenWords(text)).toBe('');
  });
});

describe('a session', () => {
  it('is one for transcription of 24 kHz, whose turns are ours to commit', async () => {
    const stretch = open(createOpenAiRealtimeTranscriber, {}, 'gpt-live-transcribe').begin(() => undefined);
    stretch.write(sound(300));
    await stretch.transcribe(never());
    expect(server.state.sessions).toEqual([
      {
        type: 'transcription',
        audio: {
          input: {
            format: { type: 'audio/pcm', rate: 24_000 },
            transcription: { model: 'gpt-live-transcribe' },
            turn_detection: null,
          },
        },
      },
    ]);
    expect(server.state.keys).toEqual(['Bearer sk-test']);
  });

  it('tells what is understood so far, across a pause', async () => {
    const interims: string[] = [];
    const stretch = open(createOpenAiRealtimeTranscriber).begin((text) => interims.push(text));
    stretch.write(sound(200));
    await stretch.transcribe(never());
    stretch.write(sound(100));
    await stretch.transcribe(never());
    expect(interims).toEqual(['word', 'word word', 'word word word']);
  });

  it('goes on over a new connection when the first is lost, with all that was said', async () => {
    const stretch = open(createOpenAiRealtimeTranscriber).begin(() => undefined);
    stretch.write(sound(300));
    await stretch.transcribe(never());
    stretch.write(sound(400));
    server.dropConnections();
    stretch.write(sound(200));
    const { text } = await stretch.transcribe(never());
    expect(text.split(' ')).toHaveLength(9);
    expect(server.state.connections).toBe(2);
  });

  it('is made again for the next words when it was lost in a silence', async () => {
    const stream = open(createOpenAiRealtimeTranscriber);
    const first = stream.begin(() => undefined);
    first.write(sound(300));
    await first.transcribe(never());
    first.end();
    server.dropConnections();
    const next = stream.begin(() => undefined);
    next.write(sound(500));
    expect((await next.transcribe(never())).text.split(' ')).toHaveLength(5);
  });

  it('that works slowly is waited for on the same connection when it is asked once more', async () => {
    server.state.waiting = [];
    const stretch = open(createOpenAiRealtimeTranscriber).begin(() => undefined);
    stretch.write(sound(300));
    const first = new AbortController();
    const asked = stretch.transcribe(first.signal);
    await vi.waitUntil(() => server.state.waiting?.length === 1);
    const again = stretch.transcribe(never());
    server.state.waiting[0]?.();
    expect((await again).text.split(' ')).toHaveLength(3);
    expect(server.state.connections).toBe(1);
    first.abort(new Error('answered'));
    await expect(asked).rejects.toThrow('answered');
  });

  it('that never gave the words of a stretch is left for the next one', async () => {
    server.state.waiting = [];
    const stream = open(createOpenAiRealtimeTranscriber);
    const stretch = stream.begin(() => undefined);
    stretch.write(sound(300));
    const given = new AbortController();
    const asked = stretch.transcribe(given.signal);
    await vi.waitUntil(() => server.state.waiting?.length === 1);
    given.abort(new Error('too late'));
    await expect(asked).rejects.toThrow('too late');
    stretch.end();
    server.state.waiting = undefined;
    const next = stream.begin(() => undefined);
    next.write(sound(500));
    expect((await next.transcribe(never())).text.split(' ')).toHaveLength(5);
    expect(server.state.connections).toBe(2);
  });

  it('takes what is too short for a word for none', async () => {
    const stretch = open(createOpenAiRealtimeTranscriber).begin(() => undefined);
    stretch.write(sound(40));
    expect(await stretch.transcribe(never())).toEqual({ text: '' });
  });

  it('that the server does not take is told with its reason, and asked for anew each time', async () => {
    server.state.refusal = 'The model does not exist.';
    const stretch = open(createOpenAiRealtimeTranscriber).begin(() => undefined);
    stretch.write(sound(300));
    await expect(stretch.transcribe(never())).rejects.toThrow('The model does not exist.');
    server.state.refusal = undefined;
    expect((await stretch.transcribe(never())).text.split(' ')).toHaveLength(3);
  });

  it('that cannot be had is told with its reason', async () => {
    await server.close();
    const stretch = open(createOpenAiRealtimeTranscriber).begin(() => undefined);
    stretch.write(sound(300));
    await expect(stretch.transcribe(never())).rejects.toThrow(/cannot be reached/);
  });
});

describe('the words to expect', () => {
  const listening = { hints: ['Alpha', 'Beta'], language: 'pt-BR', isMultilingual: false, hasBargeIn: true };
  it.each([
    ['gpt-live-transcribe', { language: 'pt', keywords: ['Alpha', 'Beta'] }],
    ['gpt-transcribe', { language: 'pt', keywords: ['Alpha', 'Beta'] }],
    ['whisper-1', { language: 'pt', prompt: 'Alpha, Beta' }],
    ['Systran/faster-whisper-small', { language: 'pt', prompt: 'Alpha, Beta' }],
    ['gpt-realtime-whisper', { language: 'pt' }],
  ])('reach %s as it takes them', (model, told) => {
    expect(expectations(model, listening)).toEqual(told);
  });
});
