import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { notFound } from '#lib/errors.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { guessCountry, type NumberCountry } from '#lib/phone-number.ts';
import { listOwnNumbers } from '../repository.ts';

/**
 * The country whose numbers are written without a country code: the workspace's setting, else what the numbers given tell
 * (the one that calls, say), else what the workspace's own tell. null where none tells. Throws 404 for no workspace.
 */
export async function findNumberCountry(
  db: Database,
  workspaceId: WorkspaceId,
  numbers: readonly string[] = [],
): Promise<NumberCountry | null> {
  const workspace = await findWorkspace(db, workspaceId);
  if (!workspace) throw notFound('Workspace');
  if (workspace.country !== null) return { code: workspace.country, isGuessed: false };
  const code = guessCountry(numbers) ?? (await guessOwnCountry(db, workspaceId));
  return code === null ? null : { code, isGuessed: true };
}

/** The country of the workspace's own numbers, which is all that a guess has. */
export async function guessOwnCountry(db: Database, workspaceId: WorkspaceId): Promise<string | null> {
  return guessCountry(await listOwnNumbers(db, workspaceId)) ?? null;
}
