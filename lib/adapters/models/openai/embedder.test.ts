import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Clock } from '#lib/ports/clock.ts';
import { batchesOf, createOpenAiEmbedder } from './embedder.ts';
import { refuse, sendVectors, startEmbeddingServer } from './testing.ts';

let server: Awaited<ReturnType<typeof startEmbeddingServer>>;
let waits: number[];

const clock: Clock = {
  now: () => new Date('2026-03-02T09:00:00.000Z'),
  sleep: async (ms) => void waits.push(ms),
};

beforeEach(async () => {
  waits = [];
  server = await startEmbeddingServer((body, response) => sendVectors(body, response, 3072));
});
afterEach(() => server.close());

const embedder = () =>
  createOpenAiEmbedder({ apiKey: 'sk-test', baseUrl: server.baseUrl, model: 'embed-large', clock });

it('asks for 3,072 dimensions and gives unit vectors in the order of the texts', async () => {
  const vectors = await embedder().embed(['a', 'bbb', 'cc']);
  expect(server.asked[0]).toMatchObject({
    model: 'embed-large',
    dimensions: 3072,
    input: ['a', 'bbb', 'cc'],
  });
  expect(vectors.map((vector) => vector.findIndex((value) => value === 1))).toEqual([1, 3, 2]);
});

it('keeps batches within the limits of tokens and texts, and every text in order', async () => {
  const texts = Array.from({ length: 400 }, (_, index) => `${index} `.repeat(index % 7 === 0 ? 2_000 : 3));
  const batches = batchesOf(texts);
  expect(batches.flat()).toEqual(texts);
  for (const batch of batches) {
    expect(batch.length).toBeLessThanOrEqual(128);
    expect(batch.join('').length / 3).toBeLessThanOrEqual(61_000);
  }
  expect(batchesOf([''])).toEqual([[' ']]);
  expect(batchesOf(['字'.repeat(20_000)])[0]?.[0]?.length).toBeLessThan(6_000);
  await embedder().embed(texts);
  expect(server.asked.map((request) => request.input)).toEqual(batches);
});

it('waits as the server says, then twice as long each time, and goes on', async () => {
  const refusals = [
    (response: ServerResponse) => refuse(response, 429, { 'retry-after': '7' }),
    (response: ServerResponse) => refuse(response, 500),
    (response: ServerResponse) => refuse(response, 503, { 'retry-after-ms': '120' }),
    (response: ServerResponse) => response.destroy(),
  ];
  server.answer = (body, response) => {
    const next = refusals.shift();
    if (next) next(response);
    else sendVectors(body, response, 3072);
  };
  expect(await embedder().embed(['text'])).toHaveLength(1);
  expect(waits).toEqual([7_000, 1_000, 120, 4_000]);
});

it('gives up after six tries with a reason that a person can act on', async () => {
  server.answer = (_, response) => refuse(response, 502);
  await expect(embedder().embed(['text'])).rejects.toMatchObject({
    name: 'EmbeddingFailed',
    message: expect.stringContaining('could not be reached'),
  });
  expect(server.asked).toHaveLength(6);
});

it.each([
  [401, undefined, /refused the API key/],
  [404, undefined, /does not know the model/],
  [400, undefined, /refused the request/],
  [429, 'insufficient_quota', /used up/],
])('does not try %i %s again', async (status, code, reason) => {
  server.answer = (_, response) => refuse(response, status, {}, code);
  await expect(embedder().embed(['text'])).rejects.toThrow(reason);
  expect(server.asked).toHaveLength(1);
});

it('refuses vectors of another length, too few, and none at all', async () => {
  server.answer = (body, response) => sendVectors(body, response, 1536);
  await expect(embedder().embed(['text'])).rejects.toThrow(/1536 dimensions instead of 3072/);
  server.answer = (body, response) => sendVectors({ ...body, input: body.input.slice(1) }, response, 3072);
  await expect(embedder().embed(['one', 'two'])).rejects.toThrow(/too few vectors/);
  server.answer = (_, response) =>
    void response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ data: [{ index: 0, embedding: Array.from({ length: 3072 }, () => 0) }] }));
  await expect(embedder().embed(['one'])).rejects.toThrow(/no direction/);
});

it('stops when it is told to', async () => {
  const abort = new AbortController();
  server.answer = () => abort.abort(new Error('enough'));
  await expect(embedder().embed(['text'], abort.signal)).rejects.toThrow('enough');
});
