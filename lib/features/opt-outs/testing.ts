import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { E164 } from '#lib/phone-number.ts';
import { insertOptOuts } from './repository.ts';

/** Puts a number on the list without telling anybody, as another process does. */
export async function optOutUnannounced(db: Database, workspaceId: WorkspaceId, number: E164): Promise<void> {
  await insertOptOuts(db, workspaceId, [number], {
    source: 'api',
    addedBy: 'test',
    callId: null,
    note: null,
    createdAt: new Date(),
  });
}
