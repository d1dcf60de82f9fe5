import { and, eq, gte, inArray, lt, ne, notExists, or, sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { simulationResults, simulations } from '#db/schema/simulations.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { ResultRow } from '../repository.ts';

/** A result whose processes died so often is not begun again. */
export const MOST_ATTEMPTS = 3;

export type ClaimedResult = Pick<
  ResultRow,
  'id' | 'workspaceId' | 'simulationId' | 'content' | 'attempts' | 'createdAt'
>;

const isLeftBehind = (now: Date) =>
  and(eq(simulationResults.status, 'running'), lt(simulationResults.leaseExpiresAt, now));
const isOf = (owner: string) =>
  and(eq(simulationResults.status, 'running'), eq(simulationResults.leaseOwner, owner));

/**
 * Of every workspace: takes what waits, and what a dead process left, the first conversations of each simulation before the
 * second ones, so that a large one holds nobody up.
 */
export async function claimResults(
  db: Database,
  { owner, now, until, limit }: { owner: string; now: Date; until: Date; limit: number },
): Promise<ClaimedResult[]> {
  const free = db
    .select({ id: simulationResults.id })
    .from(simulationResults)
    .where(
      and(
        or(eq(simulationResults.status, 'waiting'), isLeftBehind(now)),
        lt(simulationResults.attempts, MOST_ATTEMPTS),
      ),
    )
    .orderBy(simulationResults.position, simulationResults.createdAt)
    .limit(limit)
    .for('update', { skipLocked: true });
  const { id, workspaceId, simulationId, content, attempts, createdAt } = simulationResults;
  return db
    .update(simulationResults)
    .set({
      status: 'running',
      leaseOwner: owner,
      leaseExpiresAt: until,
      attempts: sql`${simulationResults.attempts} + 1`,
    })
    .where(inArray(simulationResults.id, free))
    .returning({ id, workspaceId, simulationId, content, attempts, createdAt });
}

/** Of every workspace: ends what no process could finish. */
export async function endAbandoned(db: Database, now: Date): Promise<void> {
  await db
    .update(simulationResults)
    .set({
      status: 'ended',
      outcome: 'interrupted',
      reason: 'The process that ran it died each time.',
      endedAt: now,
      leaseOwner: null,
      leaseExpiresAt: null,
    })
    .where(
      and(
        or(eq(simulationResults.status, 'waiting'), isLeftBehind(now)),
        gte(simulationResults.attempts, MOST_ATTEMPTS),
      ),
    );
}

/** Renews the leases of this owner; gives the results that it still has. */
export async function renewLeases(
  db: Database,
  { owner, until }: { owner: string; until: Date },
): Promise<Set<string>> {
  const rows = await db
    .update(simulationResults)
    .set({ leaseExpiresAt: until })
    .where(isOf(owner))
    .returning({ id: simulationResults.id });
  return new Set(rows.map(({ id }) => id));
}

/** Gives results back that were begun and not finished. `isFault`: the attempt counts. */
export async function releaseResult(
  db: Database,
  workspaceId: WorkspaceId,
  { id, owner, isFault }: { id: string; owner: string; isFault: boolean },
): Promise<void> {
  await db
    .update(simulationResults)
    .set({
      status: 'waiting',
      leaseOwner: null,
      leaseExpiresAt: null,
      ...(isFault ? {} : { attempts: sql`greatest(0, ${simulationResults.attempts} - 1)` }),
    })
    .where(and(eq(simulationResults.workspaceId, workspaceId), eq(simulationResults.id, id), isOf(owner)));
}

/** Writes what came of a conversation. False where it is not this owner's any more: somebody cancelled it, or took over. */
export async function endResult(
  db: Database,
  workspaceId: WorkspaceId,
  {
    id,
    owner,
    ...fields
  }: { id: string; owner: string } & Pick<ResultRow, 'outcome' | 'reason' | 'report' | 'endedAt'>,
): Promise<boolean> {
  const rows = await db
    .update(simulationResults)
    .set({ ...fields, status: 'ended', leaseOwner: null, leaseExpiresAt: null })
    .where(and(eq(simulationResults.workspaceId, workspaceId), eq(simulationResults.id, id), isOf(owner)))
    .returning({ id: simulationResults.id });
  return rows.length > 0;
}

/** Completes simulations of which nothing is open: this one, or every one. */
export async function completeSimulations(
  db: Database,
  { simulationId, at }: { simulationId?: string; at: Date },
): Promise<void> {
  const open = db
    .select({ one: sql`1` })
    .from(simulationResults)
    .where(and(eq(simulationResults.simulationId, simulations.id), ne(simulationResults.status, 'ended')));
  await db
    .update(simulations)
    .set({ status: 'completed', endedAt: at })
    .where(
      and(
        eq(simulations.status, 'running'),
        simulationId === undefined ? undefined : eq(simulations.id, simulationId),
        notExists(open),
      ),
    );
}

/** What the conversations of a simulation are run with; undefined where it is gone. */
export async function findRunSettings(db: Database, workspaceId: WorkspaceId, simulationId: string) {
  const { agentId, mode, agentVersionId } = simulations;
  const [row] = await db
    .select({ agentId, mode, agentVersionId })
    .from(simulations)
    .where(and(eq(simulations.workspaceId, workspaceId), eq(simulations.id, simulationId)));
  return row;
}
