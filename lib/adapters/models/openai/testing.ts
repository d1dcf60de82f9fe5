import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a client of the embeddings endpoint asked for. */
export type EmbeddingRequest = { model: string; input: string[]; dimensions: number };
export type EmbeddingAnswer = (request: EmbeddingRequest, response: ServerResponse) => void;

/**
 * A server that takes JSON at one endpoint of OpenAI's, and nothing else, on a free port; `answer` decides what each
 * request gets, and may be exchanged while it runs.
 */
export async function startEndpoint<Body>(
  endpoint: string,
  answer: (body: Body, response: ServerResponse) => void,
) {
  const asked: Body[] = [];
  const running = { asked, answer, baseUrl: '', close: async () => {} };
  const server = createServer((request, response) => {
    if (!request.url?.endsWith(endpoint)) {
      refuse(response, 404);
      return;
    }
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const body = JSON.parse(Buffer.concat(parts).toString()) as Body;
      asked.push(body);
      running.answer(body, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  running.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  running.close = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return running;
}

export const startEmbeddingServer = (answer: EmbeddingAnswer) =>
  startEndpoint<EmbeddingRequest>('/embeddings', answer);

/** One vector per text, each of them told apart by the length of its text. */
export function sendVectors(
  request: Pick<EmbeddingRequest, 'input'>,
  response: ServerResponse,
  length: number,
): void {
  // Out of order on purpose: the index says which text a vector belongs to.
  const data = request.input
    .map((text, index) => ({
      index,
      embedding: Array.from({ length }, (_, at) => (at === text.length % length ? 2 : 0)),
    }))
    .reverse();
  response.setHeader('content-type', 'application/json').end(JSON.stringify({ data }));
}

/** Refuses as the public API does. */
export function refuse(
  response: ServerResponse,
  status: number,
  headers: Record<string, string> = {},
  code?: string,
): void {
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify({ error: { message: 'no', code } }));
}
