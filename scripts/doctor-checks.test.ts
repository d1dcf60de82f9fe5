import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { startTranscriptionServer } from '#lib/adapters/models/openai/transcription-testing.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { startRealtimeServer } from '#lib/adapters/models/openai/realtime-testing.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { parseEnv } from '#lib/env.ts';
import { examine } from './doctor-checks.ts';

/** Nothing is waited for: a sentence is handed over as fast as it can be. */
const atOnce: Clock = { now: systemClock.now, sleep: async () => undefined };
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

type Asked = {
  path: string;
  body: { model: string; stream?: boolean; tools?: unknown[]; dimensions?: number };
};

/** A second of 200 Hz as PCM of 24 kHz. */
const HUM = Buffer.from(
  Int16Array.from({ length: 24_000 }, (_, at) => 8_000 * Math.sin((2 * Math.PI * 200 * at) / 24_000)).buffer,
);

const vectorOf = (dimensions: number, step: number) =>
  Array.from({ length: dimensions }, (_, at) => Math.sin(at * step) + 0.1);

/** A server that does all that is asked of it, unless `refuse` answers for it. */
async function startServer(
  refuse: (asked: Asked) => number | undefined = () => undefined,
  instead: { speech?: Buffer; vectors?: string; always?: string } = {},
) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const isJson = request.headers['content-type'] === 'application/json';
      const body = JSON.parse(isJson ? Buffer.concat(parts).toString() : '{"model":"form"}') as Asked['body'];
      const asked = { path: request.url ?? '', body };
      if (instead.always) return void response.end(instead.always);
      if (instead.vectors && asked.path.endsWith('/embeddings'))
        return void response.setHeader('content-type', 'application/json').end(instead.vectors);
      if (instead.speech && asked.path.endsWith('/audio/speech')) return void response.end(instead.speech);
      const status = refuse(asked);
      if (status === undefined) return answer(asked, request, response);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { message: 'no', code: null } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

function answer({ path, body }: Asked, _request: IncomingMessage, response: ServerResponse): void {
  const json = (value: unknown) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value));
  if (path.endsWith('/embeddings'))
    return void json({
      data: [0, 1].map((index) => ({ index, embedding: vectorOf(body.dimensions ?? 0, index + 1) })),
    });
  if (path.endsWith('/audio/transcriptions')) return void json({ text: 'I would like that.' });
  if (path.endsWith('/audio/speech')) return void response.setHeader('content-type', 'audio/pcm').end(HUM);
  if (!body.stream) return void json({ choices: [{ message: { content: '{"isFriendly":true}' } }] });
  const call = { index: 0, id: 'a', function: { name: 'note_day', arguments: '{"day":"Tuesday"}' } };
  const deltas = body.tools ? [{ tool_calls: [call] }] : [{ content: 'Yes, ' }, { content: 'I can.' }];
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const delta of deltas) response.write(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
  response.write(`data: ${JSON.stringify({ choices: [{ delta: {}, finish_reason: 'stop' }] })}\n\n`);
  response.end('data: [DONE]\n\n');
}

async function examineServer(baseUrl: string, more: Record<string, string> = {}) {
  const { openai } = parseEnv({ OPENAI_BASE_URL: baseUrl, CHAT_MODEL: 'chat', SPEECH_MODEL: 'tts', ...more });
  if (!openai) throw new Error('no server');
  const told: string[] = [];
  const findings = await examine(openai, {
    clock: atOnce,
    onFinding: ({ sentence }) => told.push(sentence),
  });
  expect(told).toEqual(findings.map(({ sentence }) => sentence));
  return findings;
}

describe('the doctor', () => {
  it('says of every model that is named what it does and how fast', async () => {
    const findings = await examineServer(await startServer(), {
      CHAT_MODEL_FALLBACK: 'second',
      TRANSCRIPTION_MODEL_FALLBACK: 'another',
    });
    expect(findings.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(findings.map(({ part }) => part)).toEqual([
      'CHAT_MODEL chat',
      'CHAT_MODEL chat, tools',
      'CHAT_MODEL chat, JSON',
      'CHAT_MODEL_FALLBACK second',
      'CHAT_MODEL_FALLBACK second, tools',
      'CHAT_MODEL_FALLBACK second, JSON',
      'EMBEDDING_MODEL text-embedding-3-large',
      'SPEECH_MODEL tts',
      'TRANSCRIPTION_MODEL whisper-1, batch',
      'TRANSCRIPTION_MODEL_FALLBACK another, batch',
    ]);
    expect(findings[0]?.sentence).toMatch(/^It answers: the first word came after \d+ ms/);
    expect(findings[6]?.sentence).toMatch(/3072 dimensions/);
    expect(findings[7]?.sentence).toMatch(/first sound came after \d+ ms, 1\.0 s of speech/);
    expect(findings[8]?.sentence).toMatch(/^It understands: "I would like that\." came \d+ ms after/);
  });

  it.each([
    ['ok', Buffer.from('ok'), /no speech: it is too short/],
    [
      'text',
      Buffer.from('<p>Hello, this is a page of this server.</p>\n'.repeat(2_000)),
      /something else than PCM/,
    ],
    ['the other byte order', Buffer.from(HUM).swap16(), /no speech in the format/],
    ['silence', Buffer.alloc(48_000), /answers silence/],
  ])('takes %s for no speech', async (_, given, sentence) => {
    const findings = await examineServer(await startServer(() => undefined, { speech: given }));
    expect(findings.find(({ part }) => part === 'SPEECH_MODEL tts')).toMatchObject({
      isOk: false,
      sentence: expect.stringMatching(sentence),
    });
  });

  const vectors = (...given: unknown[]) =>
    JSON.stringify({ data: given.map((embedding, index) => ({ index, embedding })) });

  it.each([
    ['ok', 'ok', /something else than the vectors/],
    ['ok as JSON', '"ok"', /something else than the vectors/],
    ['a status', '{"status":"ok"}', /something else than the vectors/],
    ['no vector', vectors(), /too few vectors/],
    ['truths', vectors(Array(3072).fill(true), Array(3072).fill(false)), /something else than the vectors/],
    ['text', vectors('ok', 'ok'), /something else than the vectors/],
    ['short vectors', vectors(vectorOf(768, 1), vectorOf(768, 2)), /vectors of 768 dimensions/],
    ['the same for all', vectors(vectorOf(3072, 1), vectorOf(3072, 1)), /same vector for different/],
  ])('takes %s for no embedding', async (_, given, sentence) => {
    const findings = await examineServer(await startServer(() => undefined, { vectors: given }));
    expect(findings.find(({ part }) => part.startsWith('EMBEDDING_MODEL'))).toMatchObject({
      isOk: false,
      sentence: expect.stringMatching(sentence),
    });
  });

  it('tells of no error of its own where everything is answered with ok', async () => {
    const findings = await examineServer(await startServer(() => undefined, { always: 'ok' }));
    expect(findings.filter(({ isOk }) => isOk)).toEqual([]);
    for (const { sentence } of findings) expect(sentence).not.toMatch(/undefined|is not a function/);
  });

  it('says what does not work, and why', async () => {
    const baseUrl = await startServer(({ path, body }) => {
      if (path.endsWith('/audio/speech') || path.endsWith('/audio/transcriptions')) return 404;
      if (body.tools) return 400;
      return undefined;
    });
    const findings = await examineServer(baseUrl);
    expect(findings.filter(({ isOk }) => !isOk).map(({ part }) => part)).toEqual([
      'CHAT_MODEL chat, tools',
      'SPEECH_MODEL tts',
      'TRANSCRIPTION_MODEL whisper-1, batch',
    ]);
    expect(findings.at(-2)?.sentence).toContain('knows no model of this name');
    expect(findings.at(-1)?.sentence).toContain('The server has no transcription');
    const refused = await examineServer(await startServer(() => 401));
    expect(refused.every(({ isOk }) => !isOk)).toBe(true);
    expect(refused[0]?.sentence).toContain('The key is refused');
  });

  it('lets a model that hears and speaks say a line, hear it and use a tool', async () => {
    const server = await startRealtimeServer();
    closing.push(() => void server.close());
    server.state.answers = [{ text: 'Yes.' }, { tool: { name: 'note_day', arguments: { day: 'Tuesday' } } }];
    const realtime = (await examineServer(server.baseUrl, { REALTIME_MODEL: 'live' })).filter(({ part }) =>
      part.startsWith('REALTIME_MODEL'),
    );
    expect(realtime.map(({ part, isOk }) => [part, isOk])).toEqual([
      ['REALTIME_MODEL live', true],
      ['REALTIME_MODEL live, tools', true],
    ]);
    expect(realtime[0]?.sentence).toMatch(
      /words were there after \d+ ms, the first sound .* after \d+ ms\.$/,
    );
    server.state.recites = () => 'Something else.';
    const [inexact, toolless] = (await examineServer(server.baseUrl, { REALTIME_MODEL: 'live' })).filter(
      ({ part }) => part.startsWith('REALTIME_MODEL'),
    );
    expect(inexact?.sentence).toContain('did not say a fixed line as it is written');
    expect(toolless).toMatchObject({ isOk: false });
    server.behave('bad_key');
    const [refused] = (await examineServer(server.baseUrl, { REALTIME_MODEL: 'live' })).filter(({ part }) =>
      part.startsWith('REALTIME_MODEL'),
    );
    expect(refused).toMatchObject({ isOk: false });
    expect(refused?.sentence).toContain('The key is refused');
  });

  it('asks the transcription both ways, and says where only requests are answered', async () => {
    const server = await startTranscriptionServer();
    const asked = async (more: Record<string, string>) =>
      (await examineServer(server.baseUrl, { TRANSCRIPTION_MODEL: 'live-model', ...more })).filter(
        ({ part }) => part.startsWith('TRANSCRIPTION_MODEL'),
      );
    const both = await asked({});
    expect(both.map(({ part, isOk }) => [part, isOk])).toEqual([
      ['TRANSCRIPTION_MODEL live-model, realtime', true],
      ['TRANSCRIPTION_MODEL live-model, batch', true],
    ]);
    expect(both[0]?.sentence).toMatch(/^It understands: "word/);
    server.state.lacks = ['realtime'];
    const [realtime, batch] = await asked({});
    expect(realtime).toMatchObject({ isOk: true, sentence: expect.stringContaining('takes no connections') });
    expect(batch?.sentence).toMatch(/^It understands/);
    expect(await asked({ TRANSCRIPTION_MODE: 'realtime' })).toMatchObject([{ isOk: false }]);
    await server.close();
  });
});
