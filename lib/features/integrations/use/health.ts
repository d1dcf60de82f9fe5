import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type IntegrationRow, updateIntegration } from '../repository.ts';

/** Remembers whether it works, where that has changed: for whoever looks at the integrations. undefined: nothing was sent. */
export async function noteHealth(
  { db, clock }: Pick<Dependencies, 'db' | 'clock'>,
  { workspaceId }: Actor,
  row: IntegrationRow,
  fault: string | null | undefined,
): Promise<void> {
  if (fault === undefined || fault === row.fault) return;
  const faultAt = fault === null ? null : clock.now();
  await updateIntegration(db, workspaceId, row.id, { fault, faultAt });
}
