/**
 * A single prompt (docs/prompts.md) that renders to what is there already, for somebody who begins to use the
 * template.
 */
export function singlePromptFrom(texts: {
  opening: string | null;
  voicePrompt: string | null;
  instructions: string | null;
}): string {
  const sections = [
    ['Opening', texts.opening],
    ['Voice', texts.voicePrompt && withoutTopHeadings(texts.voicePrompt)],
    ['Instructions', texts.instructions ?? ''],
  ] as const;
  return sections
    .filter(([title, text]) => title === 'Instructions' || (text !== null && text.trim() !== ''))
    .map(([title, text]) => `# ${title}\n\n${text?.trim() ?? ''}`)
    .join('\n\n')
    .concat('\n');
}

/** A heading of the first level would end the section that it stands in. */
function withoutTopHeadings(text: string): string {
  return /^# /m.test(text) ? text.replace(/^(#{1,5}) /gm, '#$1 ') : text;
}

/** What the API call beside a form of a single prompt says. */
export const SINGLE_PROMPT_ONLY_HERE =
  'A single prompt is written in the dashboard only. The API can stop using it, and cannot set it.';
