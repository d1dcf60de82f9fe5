import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { Runtime } from '#lib/runtime.ts';
import type { Change } from '../repository.ts';
import { listItems, saveItem } from './repository.ts';

/** One workspace of the file being applied, in one transaction. */
export type Applying = {
  runtime: Runtime;
  tx: Database;
  actor: Actor;
  now: Date;
  items: Items;
  /** Agents whose website widget the file changed: what follows from it comes after the transaction. */
  changedWidgets: string[];
  /** So did the hours of its calls, or their time zone. */
  isReplanned: boolean;
  /** And so did the numbers that are not called again. */
  hasNewOptOuts: boolean;
};

export type ItemKind =
  | 'workspace'
  | 'member'
  | 'tag'
  | 'integration'
  | 'agent'
  | 'outbound_prompt'
  | 'number'
  | 'number_agent'
  | 'opt_out'
  | 'knowledge_base'
  | 'knowledge_base_agent';

type Items = Awaited<ReturnType<typeof loadItems>>;

/** What provision files made in this workspace before, by the file's own names (docs/decisions/0085). */
export async function loadItems(tx: Database, { workspaceId }: Actor, now: Date) {
  const rows = await listItems(tx, workspaceId);
  const targets = new Map(rows.map((row) => [`${row.kind}:${row.name}`, row.targetId]));
  return {
    /** The id of what was made under this name, whether or not it is still there. */
    targetOf: (kind: ItemKind, name: string): string | undefined => targets.get(`${kind}:${name}`),
    async remember(kind: ItemKind, name: string, targetId: string): Promise<void> {
      if (targets.get(`${kind}:${name}`) === targetId) return;
      targets.set(`${kind}:${name}`, targetId);
      await saveItem(tx, workspaceId, { kind, name, targetId, createdAt: now });
    },
  };
}

/** Whether to apply an item: not where it was made once and is gone, because then somebody removed it. */
export function isWanted(
  applying: Applying,
  item: { kind: ItemKind; name: string; isThere: boolean; reset: boolean },
): boolean {
  const targetId = applying.items.targetOf(item.kind, item.name);
  if (item.isThere || item.reset || targetId === undefined) return true;
  noteKept(applying, { kind: item.kind, targetId, what: 'removed' });
  return false;
}

/** Tells the operator's log what the file says otherwise and the database keeps. Ids only: names are personal data. */
export function noteKept(
  { runtime, actor }: Applying,
  kept: { kind: ItemKind | 'webhook' | 'key'; targetId: string; what: string },
): void {
  runtime.log.info({ event: 'provision_kept', workspaceId: actor.workspaceId, ...kept });
}

/** Writes into the audit log what the file created or changed; nothing where nothing changed. */
export async function auditChange(
  { tx, runtime, actor }: Applying,
  item: { noun: string; targetId: string; data?: Record<string, unknown> },
  change: Change,
): Promise<void> {
  if (change.kind === 'unchanged') return;
  const data = { ...item.data, ...(change.kind === 'updated' ? { fields: change.fields } : {}) };
  const action = `${item.noun}.${change.kind}`;
  await recordAudit(tx, runtime.clock, actor, { action, targetId: item.targetId, data });
}
