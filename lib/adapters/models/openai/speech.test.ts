import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { collectSpeech } from '#lib/media/samples.ts';
import { describeSpeechSynthesizer } from '#lib/ports/speech-conformance.ts';
import { createOpenAiSpeech } from './speech.ts';
import { type SpeechAnswer, speakAtOnce, startSpeechServer, toneBytes, wavHead } from './speech-testing.ts';

type Server = Awaited<ReturnType<typeof startSpeechServer>>;

const voices = ['alloy', 'echo'];
const connect = (server: Server, limits = { firstSoundMs: 5_000, stallMs: 5_000 }) =>
  createOpenAiSpeech({ apiKey: 'k', baseUrl: server.baseUrl, model: 'speaks', voices, limits });

describeSpeechSynthesizer('a compatible server', async () => {
  const server = await startSpeechServer();
  return { speech: connect(server), close: server.close };
});

describe('speech by a compatible server', () => {
  let server: Server;
  beforeAll(async () => {
    server = await startSpeechServer();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    server.answer = speakAtOnce;
    server.asked.length = 0;
  });

  const say = (speech = connect(server), signal?: AbortSignal) =>
    speech.synthesize({ text: 'Good day.', voiceId: 'echo', language: null, ...(signal ? { signal } : {}) });
  const durationMs = async (answer: SpeechAnswer) => {
    server.answer = answer;
    return (await collectSpeech(say())).length / 16;
  };

  it('asks for PCM of the model and the voice, and brings it from 24 to 16 kHz', async () => {
    const samples = await collectSpeech(say());
    expect(server.asked).toEqual([
      { model: 'speaks', voice: 'echo', input: 'Good day.', response_format: 'pcm' },
    ]);
    expect(samples.length / 16).toBeCloseTo(450, -1);
    const crossings = samples.filter((sample, index) => sample > 0 && (samples[index - 1] ?? 0) <= 0).length;
    expect(crossings / 0.45).toBeGreaterThan(770);
    expect(crossings / 0.45).toBeLessThan(830);
  });

  it('gives the first samples while the rest is still being made, wherever the bytes are cut', async () => {
    const gate = Promise.withResolvers<void>();
    const bytes = toneBytes(400, { hz: 400, rateHz: 24_000 });
    server.answer = (_, response) => {
      response.write(bytes.subarray(0, 4_801));
      void gate.promise.then(() => response.end(bytes.subarray(4_801)));
    };
    let total = 0;
    for await (const { samples } of say()) {
      gate.resolve();
      total += samples.length;
    }
    expect(total / 16).toBeCloseTo(400, -1);
  });

  it('understands a server that sends a WAV file of another rate', async () => {
    const answer: SpeechAnswer = (_, response) =>
      response.end(Buffer.concat([wavHead(22_050), toneBytes(300, { hz: 400, rateHz: 22_050 })]));
    expect(await durationMs(answer)).toBeCloseTo(300, -1);
  });

  it('makes no request for a text without a word', async () => {
    const quiet = connect(server).synthesize({ text: '… 👍', voiceId: null, language: null });
    expect((await collectSpeech(quiet)).every((sample) => sample === 0)).toBe(true);
    expect(server.asked).toEqual([]);
  });

  const refuse =
    (status: number, headers = {}): SpeechAnswer =>
    (_, response) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end('{"error":{"message":"no"}}');

  it.each<[string, string, SpeechAnswer]>([
    ['refuses the key', 'bad_key', refuse(401)],
    ['knows no such model', 'no_such_model', refuse(404)],
    ['has too much to do, whatever it asks to wait', 'rate_limited', refuse(429, { 'retry-after': '20' })],
    ['fails', 'overloaded', refuse(503)],
    ['sends an MP3', 'unreadable', (_, response) => response.end(Buffer.from(`ID3${'x'.repeat(100)}`))],
    ['sends a page', 'unreadable', (_, response) => response.end(`<html>${'x'.repeat(100)}`)],
    ['sends nothing', 'broke_off', (_, response) => response.end()],
    [
      'breaks off',
      'broke_off',
      (_, response) => response.write(toneBytes(100, { hz: 400, rateHz: 24_000 }), () => response.destroy()),
    ],
  ])('fails without another try where the server %s', async (_, kind, answer) => {
    server.answer = answer;
    await expect(collectSpeech(say())).rejects.toMatchObject({ code: 'PROVIDER_FAILED', details: { kind } });
    expect(server.asked).toHaveLength(1);
  });

  it.each<[string, SpeechAnswer]>([
    ['does not begin', () => undefined],
    ['stops in the middle', (_, response) => response.write(toneBytes(100, { hz: 400, rateHz: 24_000 }))],
  ])('gives up on an answer that %s in time', async (_, answer) => {
    server.answer = answer;
    const hasty = connect(server, { firstSoundMs: 40, stallMs: 40 });
    await expect(collectSpeech(say(hasty))).rejects.toMatchObject({ details: { kind: 'timed_out' } });
  });

  it('ends the request when the speech is not wanted any more', async () => {
    const wanted = new AbortController();
    const begun = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    server.answer = (_, response) => {
      response.on('close', () => closed.resolve());
      begun.resolve();
    };
    const said = collectSpeech(say(connect(server), wanted.signal));
    await begun.promise;
    wanted.abort(new Error('cut short'));
    await expect(said).rejects.toThrow('cut short');
    await closed.promise;
  });
});
