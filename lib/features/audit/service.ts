import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { AuditEvent } from './contract.ts';
import { insertAuditEvent, listAuditEvents } from './repository.ts';

export type AuditEntry = {
  /** Noun and verb, e.g. `agent.settings.updated`. */
  action: string;
  targetId: string | null;
  /** What changed. Shown to admins: no secret, no prompt text, no transcript. */
  data?: Record<string, unknown>;
};

/**
 * Notes who changed what. Call it with the transaction of the change itself, so that neither exists without the
 * other.
 */
export async function recordAudit(
  tx: Database,
  clock: Clock,
  actor: Actor,
  entry: AuditEntry,
): Promise<void> {
  await insertAuditEvent(tx, actor.workspaceId, {
    actorKind: actor.kind,
    actorId: actor.id,
    actorLabel: actor.label,
    action: entry.action,
    targetId: entry.targetId,
    data: entry.data ?? {},
    at: clock.now(),
  });
}

/** For `data`: the fields whose value really changed, each with the value before and after. */
export function changesBetween<Row extends object>(
  before: Row,
  after: Partial<Row>,
): Record<string, { from: unknown; to: unknown }> {
  const changed = (Object.keys(after) as (keyof Row & string)[]).filter(
    (field) => after[field] !== undefined && JSON.stringify(before[field]) !== JSON.stringify(after[field]),
  );
  return Object.fromEntries(changed.map((field) => [field, { from: before[field], to: after[field] }]));
}

type AuditPage = {
  limit: number;
  cursor?: string | undefined;
  action?: string | undefined;
  targetId?: string | undefined;
};

export type AuditService = ReturnType<typeof createAuditService>;

export function createAuditService(deps: Pick<Dependencies, 'db' | 'clock'>) {
  return {
    /** Notes what somebody did that changed nothing, such as an export. */
    note: (actor: Actor, entry: AuditEntry): Promise<void> => recordAudit(deps.db, deps.clock, actor, entry),

    /** One page of the log, latest first. `nextCursor` is null on the last page. */
    async list(actor: Actor, page: AuditPage): Promise<{ events: AuditEvent[]; nextCursor: string | null }> {
      const rows = await listAuditEvents(deps.db, actor.workspaceId, {
        limit: page.limit + 1,
        beforeId: page.cursor === undefined ? undefined : Number(page.cursor),
        action: page.action,
        targetId: page.targetId,
      });
      const shown = rows.slice(0, page.limit);
      const last = rows.length > page.limit ? shown.at(-1) : undefined;
      return {
        events: shown.map((row) => ({ ...row, id: String(row.id), at: row.at.toISOString() })),
        nextCursor: last ? String(last.id) : null,
      };
    },
  };
}
