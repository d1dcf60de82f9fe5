/** The sections of the single-prompt template, as docs/prompts.md lists them. */
export const SINGLE_PROMPT_SECTIONS = ['Opening', 'Voice', 'Instructions'] as const;

/** A single prompt that renders to what is there already, for somebody who begins to use the template. */
export function singlePromptFrom(texts: {
  opening: string | null;
  voicePrompt: string | null;
  instructions: string | null;
}): string {
  const sections = [
    ['Opening', texts.opening],
    ['Voice', texts.voicePrompt],
    ['Instructions', texts.instructions],
  ] as const;
  return sections
    .filter(([title, text]) => title === 'Instructions' || (text !== null && text.trim() !== ''))
    .map(([title, text]) => `# ${title}\n\n${text?.trim() ?? ''}`)
    .join('\n\n')
    .concat('\n');
}
