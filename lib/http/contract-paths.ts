/**
 * The paths that the contract names (its section Endpoints). What it says of errors and of unknown fields holds for them to
 * the letter; on every other path of ours HTTP's own rules do.
 */
const CONTRACT_PATHS: ReadonlySet<string> = new Set([
  '/outbound',
  '/conversation/{}',
  '/conversations',
  '/tags',
  '/agents/{}',
  '/agents/{}/chat-prompt',
  '/agents/{}/inbound-prompt',
  '/agents/{}/settings',
  '/agents/{}/outbound-prompts',
  '/agents/{}/outbound-prompts/{}',
  '/agents/{}/knowledge-bases',
  '/knowledge-bases',
  '/knowledge-bases/workspace',
  '/knowledge-bases/{}',
  '/knowledge-bases/{}/documents',
  '/knowledge-bases/documents/{}',
]);

/** Whether the contract names the path of an operation, whatever its placeholders are called. */
export function isContractPath(path: string): boolean {
  return CONTRACT_PATHS.has(withoutNames(path));
}

/** A path whose placeholders have no names: two operations of one path may call them differently. */
export function withoutNames(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}
