import type { Operation } from '#lib/http/operation.ts';
import { operationUrl } from '#lib/http/client.ts';

/** Text that a POSIX shell hands on unchanged. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The command that does over the API what a form does; the key comes from the shell's environment. */
export function curlText(
  operation: Operation,
  given: { origin: string; params?: Record<string, string>; query?: Record<string, unknown>; body?: unknown },
): string {
  const lines = [`curl -X ${operation.method} ${shellQuote(given.origin + operationUrl(operation, given))}`];
  lines.push('  -H "x-api-key: $CALLWRIGHT_API_KEY"');
  if (given.body !== undefined) {
    lines.push("  -H 'content-type: application/json'");
    lines.push(`  -d ${shellQuote(JSON.stringify(given.body, null, 2))}`);
  }
  return lines.join(' \\\n');
}
