import type { TriedUse } from '../contract.ts';
import type { Heard } from './answer.ts';
import type { IntegrationConfig, Secrets } from '../rules.ts';

/** What came of a use. `sent`: left out where nothing was sent. */
export type Used = {
  heard: Heard;
  sent?: {
    /** Without secrets. */
    request: NonNullable<TriedUse['request']>;
    status: number | null;
    durationMs: number;
    answer: string | null;
    /** Why the integration does not work; null where it does. */
    fault: string | null;
  };
};

export const failed = (reason: string): Heard & { ok: false } => ({ ok: false, reason });

/** The headers of an integration, its secrets among them. */
export function headersOf(
  config: Pick<IntegrationConfig, 'headers'>,
  secrets: Secrets,
): Record<string, string> {
  return Object.fromEntries(
    config.headers.map(({ name, value }) => [name.toLowerCase(), value ?? secrets[name] ?? '']),
  );
}

/** Headers as they may be shown. */
export function maskedHeaders(headers: Record<string, string>, secrets: Secrets) {
  const secretNames = new Set(Object.keys(secrets).map((name) => name.toLowerCase()));
  return Object.entries(headers).map(([name, value]) => ({
    name,
    value: secretNames.has(name) ? '•••' : value,
  }));
}
