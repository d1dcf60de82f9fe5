/** Looks twice a second how long calls, webhooks and documents have been in one state. */
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';

const LOOK_EVERY_MS = 500;

export type Longest = { kind: string; state: string; seconds: number; id: string };

export function watchForStuck(databaseUrl: string) {
  const since = new Map<string, number>();
  let longest: Longest = { kind: '', state: '', seconds: 0, id: '' };
  let isOver = false;
  let openCount = Number.POSITIVE_INFINITY;

  async function look(client: postgres.Sql): Promise<void> {
    const rows = await client<{ kind: string; id: string; state: string }[]>`
      select 'call' as kind, id, concat_ws(' ', status, lease_owner) as state from calls where status <> 'ended'
      union all select 'webhook', id, status from webhook_deliveries where status in ('pending', 'sending')
      union all select 'document', id, status from documents where status in ('PENDING', 'PROCESSING')`;
    openCount = rows.length;
    const seen = new Set<string>();
    for (const { kind, id, state } of rows) {
      const key = `${kind} ${id} ${state}`;
      seen.add(key);
      const from = since.get(key) ?? performance.now();
      since.set(key, from);
      const seconds = (performance.now() - from) / 1000;
      if (seconds > longest.seconds) longest = { kind, state, seconds: Math.round(seconds * 10) / 10, id };
    }
    for (const key of since.keys()) if (!seen.has(key)) since.delete(key);
  }

  async function run(): Promise<void> {
    const client = postgres(databaseUrl, { max: 1, onnotice: () => {}, connect_timeout: 2 });
    while (!isOver) {
      await look(client).catch(() => undefined);
      await delay(LOOK_EVERY_MS);
    }
    await client.end({ timeout: 2 });
  }

  const watching = run();
  return {
    longest: () => longest,
    openCount: () => openCount,
    async stop() {
      isOver = true;
      await watching;
    },
  };
}
