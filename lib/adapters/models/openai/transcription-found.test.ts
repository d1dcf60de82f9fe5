import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { tone } from '#lib/media/testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { createOpenAiTranscriber } from './transcription-found.ts';
import { startTranscriptionServer } from './transcription-testing.ts';

const speech = tone(500, { hz: 300, db: -12 });
const listening = { hints: [], language: null, isMultilingual: false, hasBargeIn: true };
let server: Awaited<ReturnType<typeof startTranscriptionServer>>;
const calls = new AbortController();
beforeEach(async () => {
  server = await startTranscriptionServer();
});
afterEach(() => server.close());

function open(ways: ('realtime' | 'batch')[], baseUrl: string = server.baseUrl) {
  const clock = manualClock();
  const transcriber = createOpenAiTranscriber({ apiKey: 'key', baseUrl, model: 'whisper-1', ways, clock });
  const hear = async () => {
    const stretch = transcriber.open({ ...listening, signal: calls.signal }).begin(() => undefined);
    stretch.write(speech);
    return (await stretch.transcribe(calls.signal)).text;
  };
  return { clock, transcriber, hear };
}

describe('a transcription is reached by the first way that the server has', () => {
  it('over a connection where it takes one', async () => {
    const { transcriber, hear } = open(['realtime', 'batch']);
    await transcriber.find?.();
    expect(await hear()).toMatch(/^word/);
    expect(server.state.sessions).toHaveLength(1);
    expect(server.state.asked).toEqual([]);
  });

  it('by requests where it takes no connection', async () => {
    server.state.lacks = ['realtime'];
    const { transcriber, hear } = open(['realtime', 'batch']);
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(false);
    expect(await hear()).toMatch(/^word/);
    expect(server.state.connections).toBe(0);
  });

  it('and is asked for only once', async () => {
    const { transcriber } = open(['batch']);
    await Promise.all([transcriber.find?.(), transcriber.find?.()]);
    await transcriber.find?.();
    expect(server.state.asked).toHaveLength(1);
  });
});

describe('a server without transcription', () => {
  beforeEach(() => {
    server.state.lacks = ['realtime', 'batch'];
  });

  it('is known for one, until it is time to look again', async () => {
    const { transcriber, clock } = open(['realtime', 'batch']);
    expect(transcriber.isMissing?.()).toBe(false);
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(true);
    server.state.lacks = [];
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(true);
    await clock.advance(5 * 60_000);
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(false);
  });

  it('is known after the first question where nobody looked before', async () => {
    const { transcriber, hear } = open(['batch']);
    await expect(hear()).rejects.toThrow(/did not answer/);
    expect(transcriber.isMissing?.()).toBe(true);
  });

  it('is one too where it answers every path with 200 and a note', async () => {
    const polite = createServer((request, response) => {
      request.resume();
      response.setHeader('content-type', 'application/json').end('{"error":"Unexpected endpoint"}');
    });
    await new Promise<void>((resolve) => polite.listen(0, '127.0.0.1', resolve));
    const { transcriber } = open(['batch'], `http://127.0.0.1:${(polite.address() as AddressInfo).port}/v1`);
    await transcriber.find?.();
    expect(transcriber.isMissing?.()).toBe(true);
    polite.close();
  });
});

it('a server that is down for a moment counts as one that transcribes', async () => {
  server.behave('fails');
  const { transcriber } = open(['batch']);
  await transcriber.find?.();
  expect(transcriber.isMissing?.()).toBe(false);
  await server.close();
  const { transcriber: other } = open(['realtime', 'batch']);
  await other.find?.();
  expect(other.isMissing?.()).toBe(false);
  server = await startTranscriptionServer();
});

it('OpenAI itself is not asked', async () => {
  const openAi = createOpenAiTranscriber({
    apiKey: 'key',
    baseUrl: undefined,
    model: 'gpt-live-transcribe',
    ways: ['realtime', 'batch'],
    clock: manualClock(),
  });
  await openAi.find?.();
  expect(openAi.isMissing?.()).toBe(false);
});
