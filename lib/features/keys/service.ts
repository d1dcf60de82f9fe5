import type { Actor } from '#lib/auth/actor.ts';
import { formatKey } from '#lib/auth/key-format.ts';
import { hashKey, type KeyRing } from '#lib/auth/key-ring.ts';
import { notFound } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { ApiKey } from './contract.ts';
import { findKey, insertKey, type KeyRow, listKeys, markRevoked } from './repository.ts';

type KeysDeps = Pick<Dependencies, 'db' | 'clock' | 'ids'> & { keyRing: KeyRing };

export type KeysService = ReturnType<typeof createKeysService>;

/** The API keys of a workspace (contract, Authentication 1). A key is shown once, when it is made; only its hash is kept. */
export function createKeysService(deps: KeysDeps) {
  return {
    list: async (actor: Actor): Promise<ApiKey[]> => (await listKeys(deps.db, actor.workspaceId)).map(shown),

    /** Makes a key; `key` in the answer is the only time its text is seen. */
    async create(actor: Actor, input: { name: string }): Promise<ApiKey & { key: string }> {
      const key = formatKey(deps.ids.secret);
      const row = await deps.db.transaction(async (tx) => {
        const made = await insertKey(tx, actor.workspaceId, {
          id: deps.ids.next('key'),
          name: input.name,
          hash: hashKey(key),
          lastFour: key.slice(-4),
          createdBy: actor.label,
          createdAt: deps.clock.now(),
        });
        const data = { name: made.name, lastFour: made.lastFour };
        await recordAudit(tx, deps.clock, actor, { action: 'key.created', targetId: made.id, data });
        return made;
      });
      return { ...shown(row), key };
    },

    /** Works at once in this process and within five seconds in every other. Revoking again changes nothing. */
    async revoke(actor: Actor, keyId: string): Promise<ApiKey> {
      const row = await deps.db.transaction(async (tx) => {
        const found = await findKey(tx, actor.workspaceId, keyId);
        if (found.revokedAt) return found;
        const revoked = await markRevoked(tx, actor.workspaceId, keyId, deps.clock.now());
        if (!revoked) throw notFound('API key');
        const data = { name: revoked.name, lastFour: revoked.lastFour };
        await recordAudit(tx, deps.clock, actor, { action: 'key.revoked', targetId: keyId, data });
        return revoked;
      });
      deps.keyRing.forget(row.hash);
      return shown(row);
    },
  };
}

function shown(row: KeyRow): ApiKey {
  return {
    id: row.id,
    name: row.name,
    lastFour: row.lastFour,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
    revokedAt: row.revokedAt?.toISOString() ?? null,
  };
}
