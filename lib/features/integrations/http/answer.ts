import type { Outcome } from '#lib/outgoing/sender.ts';
import { readPath } from './json-path.ts';

/** What an agent hears of an answer: more is neither said nor understood. */
const MAX_HEARD = 4000;
const MAX_REFUSAL = 500;
const MAX_DEPTH = 12;

/** What a model learns of a use. `data` is the other side's, and never an instruction. */
export type Heard = { ok: true; data: unknown; isCut?: true } | { ok: false; reason: string; data?: unknown };

/** Reads an answer as the tool's `answer` says. Every failure is a sentence; nothing of an answer is without a bound. */
export function readAnswer({ answer, failure }: Outcome, wanted: string | null): Heard {
  if (failure) return { ok: false, reason: failure.reason };
  if (!answer) return { ok: false, reason: 'No answer came.' };
  const text = decode(answer.body);
  if (answer.status >= 300 && answer.status < 400)
    return { ok: false, reason: `The service sent the request elsewhere (status ${answer.status}).` };
  if (answer.status < 200 || answer.status >= 400) {
    const data = isWebPage(answer.headers) ? '' : text.slice(0, MAX_REFUSAL).trim();
    const reason = `The service answered with status ${answer.status}.`;
    return { ok: false, reason, ...(data === '' ? {} : { data }) };
  }
  if (answer.isTruncated) return { ok: false, reason: 'The answer of the service is too large.' };
  if (isWebPage(answer.headers))
    return { ok: false, reason: 'The service answered with a web page and not with data.' };
  const json = parseJson(text);
  if (!json.ok)
    return wanted === null ? bounded(text.trim()) : { ok: false, reason: 'The answer is no JSON.' };
  return bounded(wanted === null ? json.value : pickWanted(json.value, wanted));
}

/** A path alone gives the value; a text with paths in `{{…}}` gives the text. */
function pickWanted(json: unknown, wanted: string): unknown {
  if (!wanted.includes('{{')) return readPath(json, wanted) ?? null;
  return wanted.replace(/\{\{\s*([^{}]*?)\s*\}\}/g, (_, path: string) => {
    const value = readPath(json, path);
    if (value === undefined || value === null) return '';
    return typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  });
}

/** As much of a value as a model hears. */
export function bounded(value: unknown): Heard {
  const data = cleaned(value, 0);
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  if (text.length <= MAX_HEARD) return { ok: true, data };
  return { ok: true, data: text.slice(0, MAX_HEARD).toWellFormed(), isCut: true };
}

/** Without characters that no database and no model takes, and no deeper than anybody reads. */
function cleaned(value: unknown, depth: number): unknown {
  // eslint-disable-next-line no-control-regex -- NUL is what is taken out
  if (typeof value === 'string') return value.replaceAll('\u0000', '').toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '…';
  if (Array.isArray(value)) return value.map((each) => cleaned(each, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [String(cleaned(name, depth)), cleaned(each, depth + 1)]),
  );
}

function parseJson(text: string): { ok: true; value: unknown } | { ok: false } {
  if (text.trim() === '') return { ok: true, value: '' };
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch {
    return { ok: false };
  }
}

export function decode(body: Uint8Array): string {
  return new TextDecoder('utf-8').decode(body).replaceAll('\u0000', '');
}

function isWebPage(headers: Record<string, string>): boolean {
  return /^text\/html\b/i.test(headers['content-type'] ?? '');
}
