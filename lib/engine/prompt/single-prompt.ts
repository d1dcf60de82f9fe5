import { oneLine, withoutTrailing } from './lines.ts';
import { unquoted } from './quotes.ts';

/** What a single prompt stands for, placeholders kept: the three texts that are stored while it is set. */
export type SinglePromptTexts = {
  instructions: string;
  /** Null without a Voice section: the voice card serves. */
  voicePrompt: string | null;
  /** Null without an Opening section. */
  opening: string | null;
};

type SectionKind = 'opening' | 'voice' | 'instructions';

/** Heading texts, in lower case, that name a section (docs/prompts.md). */
const NAMES: Record<SectionKind, readonly string[]> = {
  opening: ['opening', 'opening line', 'greeting', 'first message', 'begrüßung', 'eröffnung'],
  voice: ['voice', 'voice prompt', 'voice card', 'speaking style', 'stimme'],
  instructions: ['instructions', 'prompt', 'task', 'anweisungen', 'aufgabe'],
};
const HEADING = /^(#{1,6})\s(.*)$/;
const FENCE = /^\s*(?:```|~~~)/;

/**
 * Splits a single prompt by its named sections. A section runs to the next heading of its own level or above; what
 * stands outside the named sections belongs to the instructions, headings included.
 */
export function readSinglePrompt(source: string): SinglePromptTexts {
  const parts: Record<SectionKind, string[]> = { opening: [], voice: [], instructions: [] };
  let current: { kind: SectionKind; level: number } = { kind: 'instructions', level: 7 };
  let isFenced = false;
  for (const line of source.split(/\r?\n/)) {
    if (FENCE.test(line)) isFenced = !isFenced;
    const heading = isFenced ? undefined : headingOf(line);
    if (heading?.kind) {
      current = { kind: heading.kind, level: heading.level };
      parts[heading.kind].push('');
      continue;
    }
    if (heading && heading.level <= current.level) current = { kind: 'instructions', level: 7 };
    parts[current.kind].push(line);
  }
  const voice = joined(parts.voice);
  const opening = unquoted(oneLine(joined(parts.opening)));
  return {
    instructions: joined(parts.instructions),
    voicePrompt: voice === '' ? null : withOpening(voice, opening),
    opening: opening === '' ? null : opening,
  };
}

/** A hand-written voice prompt holds its opening; this is how `findVoicePromptOpening` finds it again. */
function withOpening(voice: string, opening: string): string {
  return opening === '' ? voice : `Opening: "${opening}"\n\n${voice}`;
}

function headingOf(line: string): { level: number; kind: SectionKind | undefined } | undefined {
  const match = HEADING.exec(line);
  if (!match) return undefined;
  const title = withoutTrailing((match[2] ?? '').trim(), '# ')
    .replace(/[:*_]/g, '')
    .trim()
    .toLowerCase();
  const kind = (Object.keys(NAMES) as SectionKind[]).find((name) => NAMES[name].includes(title));
  return { level: match[1]?.length ?? 1, kind };
}

function joined(lines: string[]): string {
  return lines
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
