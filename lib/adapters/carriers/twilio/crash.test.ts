/** @module-tag nightly */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { crashCalls } from '#bench/calls/crash.ts';
import { openTwilioDouble } from './double-testing.ts';

/** A port that nothing listens on. */
async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

// What is killed and started again is the same with simulated people, in lib/features/calls/crash.test.ts.
it('asks Twilio once for each call, whatever is killed and when', { timeout: 240_000 }, async () => {
  const twilio = await openTwilioDouble();
  // Each third person is busy; the others listen for a moment.
  for (let index = 0; index < 12; index += 3)
    twilio.manners.set(
      `+1555${String(index).padStart(5, '0')}${String(index % 14).padStart(2, '0')}`,
      'busy',
    );
  const patience = setInterval(() => {
    for (const call of twilio.calls)
      if ((call.stream?.heard().length ?? 0) > 8_000) void twilio.hangUp(call).catch(() => undefined);
  }, 200);
  const port = await freePort();
  const report = await crashCalls({
    calls: 12,
    kills: 4,
    workers: 1,
    env: {
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_API_BASE: twilio.base,
    },
  });
  clearInterval(patience);
  expect(report).toMatchObject({ calls: 12, ended: 12, endedTwice: 0, attempts: 12, reservedSeconds: 0 });
  expect(report.missed).toBeLessThanOrEqual(report.kills);
  const asked = twilio.creates().map(({ form }) => form.To);
  expect(asked).toHaveLength(new Set(asked).size);
  // Nobody is left on a line.
  const open = twilio.calls.filter(({ stream }) => stream?.isOpen());
  expect(open).toEqual([]);
  await twilio.close();
});
