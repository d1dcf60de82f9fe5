import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';

/** Said in answer to everything; together some four seconds. */
const ANSWER = ['Of course, I can help you with that. ', 'Would Thursday at ten suit you?'];
const HEARD = 'I would like to make an appointment for next Tuesday.';

/**
 * A model server (OpenAI's protocol) that answers at once, so that what is measured is ours: transcription by files and
 * chat completions. It has no other endpoints.
 */
export async function startModelServer({ heard: words = HEARD }: { heard?: string } = {}): Promise<{
  baseUrl: string;
  /** Stretches of speech that were sent to be understood. */
  heard(): number;
  close(): void;
}> {
  let heard = 0;
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url?.endsWith('/audio/transcriptions')) {
        heard += 1;
        return sendJson(response, { text: words });
      }
      if (!request.url?.endsWith('/chat/completions')) return response.writeHead(404).end('{}');
      const wantsStream = Buffer.concat(parts).includes('"stream":true');
      return wantsStream ? sendAnswer(response) : sendJson(response, completion('{}'));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    heard: () => heard,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const sendJson = (response: ServerResponse, body: unknown) =>
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));

const completion = (content: string) => ({
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content } }],
});

function sendAnswer(response: ServerResponse): void {
  response.setHeader('content-type', 'text/event-stream');
  const send = (delta: Record<string, string>, finish: string | null) =>
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`);
  for (const content of ANSWER) send({ content }, null);
  send({}, 'stop');
  response.end('data: [DONE]\n\n');
}
