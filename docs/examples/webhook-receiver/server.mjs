// A receiver for Callwright's post-conversation webhook, with nothing but Node.js 20 or newer.
//
//   WEBHOOK_SECRET=whsec_… node server.mjs
//
// PORT            where to listen (8787)
// CALLWRIGHT_URL  e.g. http://localhost:3000, and
// CALLWRIGHT_API_KEY  an API key: with both set, missed conversations are fetched at the start and every five minutes
//
// docs/webhooks.md explains the three rules that it follows: verify, answer quickly, reconcile by listing.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';

const MAX_BODY_BYTES = 5 * 1024 * 1024;
const RECONCILE_EVERY_MS = 5 * 60 * 1000;
const PAGE_SIZE = 100;

/** Whether `signature` was made with `secret` over exactly these bytes. */
export function isSigned(rawBody, signature, secret) {
  if (typeof signature !== 'string') return false;
  const expected = Buffer.from(createHmac('sha256', secret).update(rawBody).digest('hex'));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/**
 * The receiver as an http.Server, not listening yet. `handle(conversation)` does the real work, after the answer; it
 * is called once per conversation however it was learnt of. A real system keeps `seen` in its database.
 */
export function createReceiver({ secret, handle, seen = new Set() }) {
  return createServer((request, response) => {
    if (request.method !== 'POST') return answer(response, 405, 'POST the webhook here');
    const parts = [];
    let sizeBytes = 0;
    request.on('data', (part) => {
      sizeBytes += part.length;
      if (sizeBytes <= MAX_BODY_BYTES) parts.push(part);
    });
    request.on('end', () => {
      if (sizeBytes > MAX_BODY_BYTES) return answer(response, 413, 'too large');
      // Verify the raw bytes, before anything reads them: parsing and writing JSON again changes them.
      const rawBody = Buffer.concat(parts);
      if (!isSigned(rawBody, request.headers['x-webhook-signature'], secret)) {
        return answer(response, 401, 'wrong signature');
      }
      // Answer first, work later: after 10 seconds Callwright hangs up and does not send again.
      answer(response, 200, 'received');
      const event = JSON.parse(rawBody.toString('utf8'));
      if (event.event === 'test') console.log(`test event ${event.conversationId}`);
      else void handleOnce(event.conversationId, event, { handle, seen });
    });
  });
}

/**
 * Fetches every conversation since `since` (a Date) that no webhook told of, and gives back how many those were.
 * A listed conversation has the fields of GET /api/conversations: `id` instead of `conversationId`, and so on.
 */
export async function reconcile({ baseUrl, apiKey, since, handle, seen }) {
  let missed = 0;
  for (let after = ''; ;) {
    const url = `${baseUrl}/api/conversations?datetime_start=${since.getTime()}&limit=${PAGE_SIZE}${after}`;
    const response = await fetch(url, { headers: { 'x-api-key': apiKey } });
    if (!response.ok) throw new Error(`listing conversations was answered ${response.status}`);
    const { data } = await response.json();
    for (const conversation of data) {
      if (await handleOnce(conversation.id, conversation, { handle, seen })) missed++;
    }
    if (data.length < PAGE_SIZE) return missed;
    // Not by `skip`: calls that end meanwhile would move the others down.
    after = `&after=${encodeURIComponent(data.at(-1).id)}`;
  }
}

async function handleOnce(id, conversation, { handle, seen }) {
  if (seen.has(id)) return false;
  seen.add(id);
  try {
    await handle(conversation);
  } catch (error) {
    // Forgotten again, so that the next listing brings it back.
    seen.delete(id);
    console.error(`conversation ${id} could not be handled:`, error);
  }
  return true;
}

function answer(response, status, text) {
  response.writeHead(status, { 'content-type': 'text/plain' }).end(`${text}\n`);
}

if (import.meta.url === new URL(`file://${process.argv[1]}`).href) {
  const {
    WEBHOOK_SECRET: secret,
    CALLWRIGHT_URL: baseUrl,
    CALLWRIGHT_API_KEY: apiKey,
    PORT = '8787',
  } = process.env;
  if (!secret) throw new Error('set WEBHOOK_SECRET to the secret of the workspace (Settings, Webhooks)');
  const seen = new Set();
  const handle = (conversation) =>
    console.log(`${conversation.conversationId ?? conversation.id}: ${conversation.summary || 'no summary'}`);
  createReceiver({ secret, handle, seen }).listen(Number(PORT), () =>
    console.log(`listening on port ${PORT}`),
  );
  if (baseUrl && apiKey) {
    const lookBack = () => {
      const since = new Date(Date.now() - 24 * 60 * 60 * 1000);
      return reconcile({ baseUrl, apiKey, since, handle, seen }).catch((error) =>
        console.error(error.message),
      );
    };
    await lookBack();
    setInterval(lookBack, RECONCILE_EVERY_MS);
  }
}
