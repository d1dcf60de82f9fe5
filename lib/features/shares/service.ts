import type { Actor } from '#lib/auth/actor.ts';
import { hasRole } from '#lib/auth/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { lockEndedCall } from '#lib/features/calls/ended/repository.ts';
import { findCall } from '#lib/features/calls/repository.ts';
import { makeOnce } from '#lib/features/idempotency/service.ts';
import type { CallShare } from './contract.ts';
import { insertShare, listShares, lockShare, type ShareRow, updateRevoked } from './repository.ts';
import { SHARE_PREFIX, shareStateOf, tokenOf } from './rules.ts';

const HOUR_MS = 3_600_000;
/** A page shows them all. */
const MOST_OPEN = 20;

export type ShareService = ReturnType<typeof createShareService>;

/** Links that show one conversation to whoever has them, until they expire or are revoked. */
export function createShareService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'env' | 'signingSecret'>,
) {
  const { db, clock, signingSecret } = deps;

  function shown(actor: Actor, row: ShareRow): CallShare {
    const state = shareStateOf(row, clock.now());
    const mayShare = hasRole(actor.role, 'member');
    return {
      id: row.id,
      by: row.author,
      createdAt: row.createdAt.toISOString(),
      expiresAt: row.expiresAt.toISOString(),
      state,
      lastOpenedAt: row.lastOpenedAt?.toISOString() ?? null,
      openedCount: row.openedCount,
      url:
        mayShare && state === 'open'
          ? `${deps.env.publicUrl}/shared/${tokenOf(row.id, signingSecret)}`
          : null,
      mayRevoke: state === 'open' && mayRevoke(actor, row),
    };
  }

  return {
    /** Newest first. Throws 403 and 404 for the call. */
    async list(actor: Actor, callId: string): Promise<CallShare[]> {
      await findCall(db, actor.workspaceId, callId);
      return (await listShares(db, actor.workspaceId, callId)).map((row) => shown(actor, row));
    },

    /** A repeat with the key gets the first link. Throws what `makeOnce` throws, 403, 404, and 400 INVALID_STATE for a call that goes on, or has as many links as a page shows. */
    async create(actor: Actor, callId: string, hours: number, key?: string): Promise<CallShare> {
      const request = { key, operation: 'createShare', input: [callId, hours], prefix: SHARE_PREFIX };
      const { id: shareId } = await makeOnce(deps, actor, request, async (tx, id) => {
        await lockEndedCall(tx, actor.workspaceId, callId);
        const now = clock.now();
        const open = (await listShares(tx, actor.workspaceId, callId)).filter(
          (row) => shareStateOf(row, now) === 'open',
        );
        if (open.length >= MOST_OPEN)
          throw new AppError('INVALID_STATE', `A conversation has at most ${MOST_OPEN} open links`);
        const expiresAt = new Date(now.getTime() + hours * HOUR_MS);
        await insertShare(tx, actor.workspaceId, {
          id,
          callId,
          authorId: actor.id,
          author: actor.label,
          createdAt: now,
          expiresAt,
        });
        const data = { expiresAt: expiresAt.toISOString() };
        await recordAudit(tx, clock, actor, { action: 'call.shared', targetId: callId, data });
      });
      const row = await lockShare(db, actor.workspaceId, { callId, shareId });
      if (!row) throw notFound('Link');
      return shown(actor, row);
    },

    /** It shows nothing from now on. Throws 403 for somebody else's, 404. */
    async revoke(actor: Actor, share: { callId: string; shareId: string }): Promise<CallShare> {
      return db.transaction(async (tx) => {
        const row = await lockShare(tx, actor.workspaceId, share);
        if (!row) throw notFound('Link');
        if (!mayRevoke(actor, row))
          throw new AppError('FORBIDDEN', 'Only its author and admins may revoke a link');
        if (row.revokedAt !== null) return shown(actor, row);
        const revokedAt = clock.now();
        await updateRevoked(tx, actor.workspaceId, row.id, revokedAt);
        await recordAudit(tx, clock, actor, {
          action: 'call.share_revoked',
          targetId: share.callId,
          data: { author: row.author },
        });
        return shown(actor, { ...row, revokedAt });
      });
    },
  };
}

const mayRevoke = (actor: Actor, row: ShareRow) =>
  hasRole(actor.role, 'admin') || (actor.id === row.authorId && hasRole(actor.role, 'member'));
