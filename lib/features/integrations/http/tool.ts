import type { ArgumentSchema } from './argument-schema.ts';

export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

export const TOOL_LIMITS = {
  name: 64,
  description: 1000,
  path: 2000,
  answer: 2000,
  meanwhile: 200,
  minTimeoutMs: 1000,
  maxTimeoutMs: 20_000,
  defaultTimeoutMs: 8000,
} as const;

export const TOOL_NAME = /^[A-Za-z][\w-]{0,63}$/;

/** One request that an agent can make. */
export type HttpTool = {
  name: string;
  /** For the model: what it does and when to use it. */
  description: string;
  method: (typeof HTTP_METHODS)[number];
  /** Follows the integration's address; `{{argument}}` stands for an argument. */
  path: string;
  parameters: ArgumentSchema;
  /** What of the answer the agent hears: a path into the JSON, or text with paths in `{{…}}`; null: all of it. */
  answer: string | null;
  timeoutMs: number;
  /** Said while the request is on its way. */
  meanwhile: string | null;
};

/** Placeholders of a path, in their order. */
export function placeholdersOf(path: string): string[] {
  return [...path.matchAll(PLACEHOLDER)].map(([, name = '']) => name);
}

export const PLACEHOLDER = /\{\{\s*([\w-]+)\s*\}\}/g;

/** What is wrong with a tool as a person wrote it, by field; empty where nothing is. */
export function toolFaults({ path, parameters }: Pick<HttpTool, 'path' | 'parameters'>) {
  const faults: { field: 'path' | 'parameters'; reason: string }[] = [];
  const fault = pathFault(path);
  if (fault !== undefined) faults.push({ field: 'path', reason: fault });
  const [pathname = ''] = path.split('?');
  for (const name of placeholdersOf(path)) {
    if (!(name in parameters.properties))
      faults.push({ field: 'path', reason: `has {{${name}}}, which is no argument` });
    else if (placeholdersOf(pathname).includes(name) && !parameters.required.includes(name))
      faults.push({
        field: 'parameters',
        reason: `${name} stands in the address, so it must be required`,
      });
  }
  return faults;
}

function pathFault(path: string): string | undefined {
  if (path !== '' && !/^[/?]/.test(path)) return 'must begin with / or ?';
  if (path.startsWith('//')) return 'must begin with a single /';
  if (/[\p{C}\p{Z}\\#]/u.test(path.replace(PLACEHOLDER, '')))
    return 'must not contain spaces, control characters, \\ or #';
  if (path.replace(PLACEHOLDER, '').includes('{{')) return 'has {{ without a name and }} behind it';
  const segments = (path.split('?')[0] ?? '').split('/');
  return segments.some(isDotSegment) ? 'must not contain . or .. as a part' : undefined;
}

/** What the URL parser would take as "here" or "one up". */
export function isDotSegment(segment: string): boolean {
  return /^(?:\.|%2e){1,2}$/i.test(segment);
}
