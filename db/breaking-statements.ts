/** What a process that was started with the release before would fail of, or what it writes would. */
const BREAKING: readonly RegExp[] = [
  /^alter table \S+ drop column/i,
  /^alter table \S+ rename/i,
  /^alter table \S+ alter column \S+ set (?:not null|data type)/i,
  /^alter table \S+ add column (?!.*\bdefault\b).*\bnot null\b/is,
  /^drop (?:table|type|function|view)/i,
  /^alter type \S+ rename/i,
];

/** Says that no process of a release that may still run uses it any more, and since which release that is so. */
const CONTRACTS = /^-- contract: \S/m;

/**
 * The statements of a migration that take away what the release before uses. While a release is rolled out, processes of
 * both run on one database (docs/operations.md, "Upgrades"): what is to go is first not used for a release.
 */
export function breakingStatements(migration: string): string[] {
  return migration
    .split('--> statement-breakpoint')
    .filter((part) => !CONTRACTS.test(part))
    .flatMap((part) => part.split(/;\s*(?:\n|$)/))
    .map((statement) => statement.replace(/^\s*--.*$/gm, '').trim())
    .filter((statement) => BREAKING.some((pattern) => pattern.test(statement)));
}
