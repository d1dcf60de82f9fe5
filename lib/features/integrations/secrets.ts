import type { Sealer } from '#lib/ports/sealer.ts';
import { asRecord } from './http/argument-schema.ts';
import type { IntegrationRow } from './repository.ts';
import { sealedFor, type Secrets } from './rules.ts';

export const UNREADABLE = 'The secrets of this integration have to be entered again.';

/** The secret headers of a row; undefined where they were sealed with another AUTH_SECRET. */
export function readSecrets(
  sealer: Sealer,
  row: Pick<IntegrationRow, 'id' | 'config' | 'sealedSecrets'>,
): Secrets | undefined {
  if (row.sealedSecrets === null) return {};
  const text = sealer.open(row.sealedSecrets, sealedFor(row.id, row.config));
  if (text === undefined) return undefined;
  const value: unknown = JSON.parse(text);
  return Object.fromEntries(
    Object.entries(asRecord(value) ?? {}).map(([name, secret]) => [name, String(secret)]),
  );
}
