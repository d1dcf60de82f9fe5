import type { Operation } from './operation.ts';

/**
 * The operations that the API's contract names. Where it is silent they stay lenient, for clients that rely on that;
 * the others refuse what they do not know.
 */
const OF_CONTRACT: ReadonlySet<string> = new Set([
  'POST /outbound',
  'GET /conversation/{id}',
  'GET /conversations',
  'GET /tags',
  'GET /agents/{agentId}',
  'GET /agents/{agentId}/chat-prompt',
  'PUT /agents/{agentId}/chat-prompt',
  'PUT /agents/{agentId}/inbound-prompt',
  'PUT /agents/{agentId}/settings',
  'GET /agents/{agentId}/outbound-prompts',
  'POST /agents/{agentId}/outbound-prompts',
  'GET /agents/{agentId}/outbound-prompts/{promptId}',
  'PUT /agents/{agentId}/outbound-prompts/{promptId}',
  'DELETE /agents/{agentId}/outbound-prompts/{promptId}',
  'GET /agents/{agentId}/knowledge-bases',
  'PUT /agents/{agentId}/knowledge-bases',
  'GET /knowledge-bases',
  'POST /knowledge-bases',
  'GET /knowledge-bases/workspace',
  'GET /knowledge-bases/{id}',
  'PUT /knowledge-bases/{id}',
  'DELETE /knowledge-bases/{id}',
  'GET /knowledge-bases/{id}/documents',
  'POST /knowledge-bases/{id}/documents',
  'DELETE /knowledge-bases/documents/{documentId}',
]);

export function isOfContract({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  return OF_CONTRACT.has(`${method} ${path}`);
}

/** On other paths HTTP's own rules hold where the contract's are narrower (405 with `Allow`). */
const PATHS_OF_CONTRACT: ReadonlySet<string> = new Set(
  [...OF_CONTRACT].map((operation) => withoutNames(operation.replace(/^\w+ /, ''))),
);

/** Whether the contract names the path of an operation, whatever its placeholders are called. */
export function isContractPath(path: string): boolean {
  return PATHS_OF_CONTRACT.has(withoutNames(path));
}

/** A path whose placeholders have no names: two operations of one path may call them differently. */
export function withoutNames(path: string): string {
  return path.replace(/\{[^}]*\}/g, '{}');
}
