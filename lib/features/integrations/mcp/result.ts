import { asRecord } from '../http/argument-schema.ts';
import { bounded, type Heard } from '../http/answer.ts';

const MAX_REFUSAL = 500;

/** Texts as they are, structured content where there is no text; what cannot be read out is named in a sentence. */
export function readResult(result: unknown): Heard {
  const fields = asRecord(result) ?? {};
  const parts: unknown[] = Array.isArray(fields['content']) ? fields['content'] : [];
  const read = parts.map((part) => textOf(asRecord(part) ?? {}));
  const texts = read.flatMap(({ text }) => (text === undefined || text === '' ? [] : [text]));
  const others = read.flatMap(({ other }) => other ?? []);
  const structured = asRecord(fields['structuredContent']);
  const said = [...texts, ...sentenceOf(others)].join('\n');
  if (fields['isError'] === true) {
    const data = said.replaceAll('\u0000', '').slice(0, MAX_REFUSAL).toWellFormed();
    return { ok: false, reason: 'The tool of the server failed.', ...(data === '' ? {} : { data }) };
  }
  if (texts.length > 0 || !structured) return bounded(said);
  return bounded(others.length === 0 ? structured : { ...structured, also: sentenceOf(others)[0] });
}

function textOf(part: Record<string, unknown>): { text?: string; other?: string } {
  const { type, text, name, uri } = part;
  if (type === 'text') return typeof text === 'string' ? { text } : {};
  if (type === 'image') return { other: 'an image' };
  if (type === 'audio') return { other: 'a recording' };
  if (type === 'resource_link') return { other: `a link (${[name, uri].filter(isText).join(', ')})` };
  const inner = asRecord(part['resource'])?.['text'];
  return isText(inner) ? { text: inner } : { other: 'a file' };
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

function sentenceOf(others: readonly string[]): string[] {
  if (others.length === 0) return [];
  return [`The answer has ${new Intl.ListFormat('en').format(others.slice(0, 10))} that cannot be read out.`];
}
