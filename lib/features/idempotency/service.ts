import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { findAnsweredRequest, rememberAnswer } from './repository.ts';
import { assertSameRequest, hashOf, keyOf, oldestKey, stillAtWork } from './rules.ts';

type KeyedRequest = {
  /** The `Idempotency-Key`; without one every request makes something. */
  key: string | undefined;
  operation: string;
  /** What was asked for: the same key with something else is refused. */
  input: unknown;
  /** Of the id. */
  prefix: string;
};

/**
 * Makes something once for all requests of a person with one key, parallel ones too. `make` writes it with
 * the id in the transaction it is given; `isFirst` is false where an earlier request made it. Only the id is kept, for the key
 * outlives what is deleted. Throws 400 IDEMPOTENCY_KEY_REUSED for a key that was used with something else.
 */
export async function makeOnce(
  { db, clock, ids }: Pick<Dependencies, 'db' | 'clock' | 'ids'>,
  actor: Actor,
  { key, operation, input, prefix }: KeyedRequest,
  make: (tx: Database, id: string) => Promise<void>,
): Promise<{ id: string; isFirst: boolean }> {
  const id = ids.next(prefix);
  if (key === undefined) {
    await db.transaction((tx) => make(tx, id));
    return { id, isFirst: true };
  }
  const { workspaceId } = actor;
  const now = clock.now();
  const answer = {
    id: ids.next('idem'),
    key: keyOf(actor, key),
    requestHash: hashOf([operation, input]),
    response: { id },
    createdAt: now,
  };
  const isFirst = await db.transaction(async (tx) => {
    if (!(await rememberAnswer(tx, workspaceId, answer, oldestKey(now)))) return false;
    await make(tx, id);
    return true;
  });
  if (isFirst) return { id, isFirst };
  const first = await findAnsweredRequest(db, workspaceId, answer.key, oldestKey(now));
  if (!first) throw stillAtWork(1);
  assertSameRequest(first, answer.requestHash);
  return { id: String(first.response.id), isFirst };
}
