import type { Operation } from '#lib/http/operation.ts';
import { describeError } from '#lib/log.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Actor, Role } from './actor.ts';
import { listAccess } from './repository.ts';
import { hasRole, roleFor } from './rules.ts';

/** Whoever may no longer read what goes on is noticed after at most this long. */
const LOOK_EVERY_MS = 2_000;

type Watched = { sessionId: string; workspaceId: string; role: Role; lost: AbortController };

/** `lost` aborts once the member may no longer have what goes on; `stop` when it is over anyway. */
export type Access = { lost: AbortSignal; stop: () => void };

/**
 * For answers that go on (streams of events, listening in): tells when a signed-in member may no longer have what they
 * were let in to, after a sign-out, a removal, too small a role or the end of the session, on whichever process. One
 * statement every two seconds asks for all of them.
 */
export function createAccessWatch(deps: Pick<Dependencies, 'db' | 'clock' | 'log'>) {
  const watched = new Set<Watched>();
  let isLooking = false;

  async function look(): Promise<void> {
    const asked = [...watched];
    const ids = [...new Set(asked.map(({ sessionId }) => sessionId))];
    const now = deps.clock.now();
    const roles = new Map<string, Role>();
    for (const { sessionId, workspaceId, role } of await listAccess(deps.db, ids, now))
      roles.set(`${sessionId} ${workspaceId}`, role);
    for (const each of asked) {
      const role = roles.get(`${each.sessionId} ${each.workspaceId}`);
      if (role && hasRole(role, each.role)) continue;
      watched.delete(each);
      each.lost.abort();
    }
  }

  /** Until nobody is watched; whoever comes before the next look is seen by it. */
  async function keepLooking(): Promise<void> {
    if (isLooking) return;
    isLooking = true;
    for (;;) {
      await deps.clock.sleep(LOOK_EVERY_MS);
      if (watched.size === 0) break;
      // Of a database that is away nothing is known: whoever was let in goes on until it is back.
      await look().catch((error: unknown) =>
        deps.log.warn({ event: 'access_unknown', error: describeError(error) }),
      );
    }
    isLooking = false;
  }

  return function watchAccess(
    { actor, sessionId }: { actor: Actor; sessionId: string },
    operation: Operation,
  ): Access {
    const lost = new AbortController();
    const each = { sessionId, workspaceId: actor.workspaceId, role: roleFor(operation), lost };
    watched.add(each);
    void keepLooking();
    return { lost: lost.signal, stop: () => void watched.delete(each) };
  };
}
