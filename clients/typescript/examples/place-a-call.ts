// Places a call, waits until it has ended, and prints what was said.
//
//   CALLWRIGHT_URL=http://localhost:3000 CALLWRIGHT_API_KEY=cw_… node place-a-call.ts +15550100001 +15550109901
//
// The first number is one of the workspace, the second the person's. Numbers from +15550109900 to +15550109915 are
// simulated people where the first number is simulated: nobody is called.
//
// In your own project the next line says `from 'callwright-client'`.
import { randomUUID } from 'node:crypto';
import { Callwright, CallwrightError } from '../src/index.ts';

const { CALLWRIGHT_URL: url = 'http://localhost:3000', CALLWRIGHT_API_KEY: apiKey } = process.env;
const [from, to] = process.argv.slice(2);
if (!apiKey || !from || !to)
  throw new Error('Set CALLWRIGHT_API_KEY and give two numbers: from whom, and whom to call');

const callwright = new Callwright({ url, apiKey });
try {
  // Sent again with the same key after a timeout, the call is not placed a second time.
  const headers = { 'idempotency-key': randomUUID() };
  const { data: call } = await callwright.queueOutboundCall({
    body: { from, to, variables: { name: 'Alex' } },
    headers,
  });
  console.log(`${call.conversationId} is queued`);
  const ended = await callwright.conversationEnded(call.conversationId, {
    signal: AbortSignal.timeout(15 * 60_000),
  });
  console.log(ended.transcript ?? 'Nobody answered');
  console.log(`${ended.durationSeconds} s, ${ended.cost} cents, ${ended.tags.join(', ') || 'no tags'}`);
} catch (error) {
  if (!(error instanceof CallwrightError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
