// Receives the post-conversation webhook, checks that it comes from the service, and prints what it tells.
//
//   WEBHOOK_SECRET=whsec_… PORT=8787 node receive-webhooks.ts
//
// The secret is that of the workspace (Settings, Webhooks). In your own project the next line says
// `from 'callwright-client'`.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readWebhook, SIGNATURE_HEADER } from '../src/index.ts';

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const { WEBHOOK_SECRET: secret, PORT = '8787' } = process.env;
if (!secret) throw new Error('Set WEBHOOK_SECRET');

const server = createServer((request, response) => {
  receive(request).then(
    // Answer at once and work later: after ten seconds the service hangs up and does not send again.
    (status) => response.writeHead(status).end(),
    () => response.writeHead(400).end(),
  );
});
server.listen(Number(PORT), () => console.log(`listening on port ${(server.address() as AddressInfo).port}`));

async function receive(request: IncomingMessage): Promise<number> {
  const body = await readBody(request);
  if (!body) return 413;
  const signature = String(request.headers[SIGNATURE_HEADER] ?? '');
  const webhook = await readWebhook({ body, signature, secret: String(secret) });
  if (!webhook) return 401;
  console.log(`${webhook.conversationId}: ${webhook.disposition}, ${webhook.duration} s. ${webhook.summary}`);
  return 204;
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_BODY_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
