import type { WorkspaceId } from '#lib/auth/actor.ts';
import { forbidden, notFound } from '#lib/errors.ts';

/**
 * Turns the result of a look-up by id alone into the row, or the contract's answer: 404 where nothing has the id,
 * 403 where it belongs to another workspace. Repositories call it, so no row of another workspace leaves one.
 */
export function ownedOrThrow<Row extends { workspaceId: string }>(
  row: Row | undefined,
  workspaceId: WorkspaceId,
  noun: string,
): Row {
  if (!row) throw notFound(noun);
  if (row.workspaceId !== workspaceId) throw forbidden(noun);
  return row;
}

/**
 * The same for several ids at once. Another workspace's resource is said before a missing one: who names it made no
 * typing error.
 */
export function assertOwned(
  rows: readonly { id: string; workspaceId: string }[],
  ids: readonly string[],
  { workspaceId, noun }: { workspaceId: WorkspaceId; noun: string },
): void {
  if (rows.some((row) => row.workspaceId !== workspaceId)) throw forbidden(noun);
  const known = new Set(rows.map((row) => row.id));
  if (ids.some((id) => !known.has(id))) throw notFound(noun);
}
