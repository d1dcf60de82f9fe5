import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Database } from '#db/client.ts';
import { agents } from '#db/schema/agents.ts';
import { calls } from '#db/schema/calls.ts';
import { workspaces } from '#db/schema/workspaces.ts';
import { mintWorkspaceId } from '#lib/auth/mint.ts';
import type { Actor, Role } from '#lib/auth/actor.ts';
import type { Queue } from '#lib/ports/queue.ts';

const AT = new Date('2026-03-02T09:00:00.000Z');

export const SECRET = 'whsec_0123456789abcdefghijklmnopqrstuvwxyz';

export async function addWorkspace(
  db: Database,
  id: string,
  webhookUrl: string | null = null,
  role: Role = 'owner',
): Promise<Actor> {
  await db.insert(workspaces).values({
    id,
    name: id,
    rateCard: {
      carrierCentsPerMinute: 1,
      speechCentsPerMinute: 0,
      languageCentsPer1kInputTokens: 0,
      languageCentsPer1kOutputTokens: 0,
    },
    webhookUrl,
    webhookSecret: SECRET,
    webhookSecretChangedAt: AT,
    createdAt: AT,
    updatedAt: AT,
  });
  return { workspaceId: mintWorkspaceId(id), kind: 'user', id: 'usr_1', label: 'owner@example.test', role };
}

export async function addAgent(
  db: Database,
  workspaceId: string,
  id: string,
  setting: { enabled?: boolean; url?: string | null } = {},
): Promise<void> {
  await db.insert(agents).values({
    id,
    workspaceId,
    name: `Agent ${id}`,
    hasPostConversationWebhook: setting.enabled ?? true,
    postConversationWebhookUrl: setting.url ?? null,
    createdAt: AT,
    updatedAt: AT,
  });
}

type GivenCall = Pick<typeof calls.$inferInsert, 'id' | 'workspaceId' | 'agentId'> &
  Partial<typeof calls.$inferInsert>;

/** A call that has ended: a good one, or with `answeredAt: null` one that never connected. */
export const addEndedCall = (db: Database, given: GivenCall) => addEndedCalls(db, [given]);

/** Many in one statement. */
export async function addEndedCalls(db: Database, given: readonly GivenCall[]): Promise<void> {
  await db.insert(calls).values(
    given.map((call): typeof calls.$inferInsert => ({
      direction: 'OUTBOUND',
      carrier: 'simulated',
      agentPhoneNumber: '+15550100001',
      humanPhoneNumber: '+15550100100',
      variables: { name: 'Ada' },
      status: 'ended',
      statusRank: 5,
      usageMonth: '2026-03',
      dateInitiated: AT,
      answeredAt: AT,
      endedAt: AT,
      durationSeconds: 61.5,
      disposition: 'APPOINTMENT_BOOKED',
      tags: ['appointment_booked'],
      sentiment: 'POSITIVE',
      summary: 'An appointment was booked.',
      transcript: 'Agent: Hello.\nHuman: Tuesday at nine is fine.',
      cost: 2.5,
      recordingKey: `recordings/${call.workspaceId}/${call.id}.wav`,
      createdAt: AT,
      updatedAt: AT,
      ...call,
    })),
  );
}

export type Received = { headers: Record<string, string | string[] | undefined>; body: Buffer; path: string };

/** A receiver on the loopback that keeps every request and answers as it is told. */
export async function startReceiver(answer: (received: Received) => number | 'hang' | 'reset' = () => 200) {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const one = { headers: request.headers, body: Buffer.concat(parts), path: request.url ?? '' };
      received.push(one);
      const status = answer(one);
      if (status === 'reset') request.socket.resetAndDestroy();
      else if (status !== 'hang')
        response
          .writeHead(status, { location: 'http://127.0.0.1:9/', 'x-receiver': 'yes' })
          .end(`answer ${status}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    received,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A queue that only notes what it is given; whoever tests wakes the sender. */
export function notingQueue(): Pick<Queue, 'send' | 'ensure'> & {
  sent: { name: string; payload: object; hasTx: boolean }[];
} {
  const sent: { name: string; payload: object; hasTx: boolean }[] = [];
  return {
    sent,
    ensure: () => Promise.resolve(),
    send: (kind, payload, options = {}) => {
      sent.push({ name: kind.name, payload, hasTx: options.tx !== undefined });
      return Promise.resolve();
    },
  };
}
