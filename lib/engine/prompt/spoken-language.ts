import { promptLanguage } from './prompt-language.ts';

/** The texts that decide in which language a call is spoken, as they were written. */
export function spokenTexts(written: {
  voicePrompt: string | null | undefined;
  prompt: string | null | undefined;
}): string {
  return `${written.voicePrompt ?? ''}\n${written.prompt ?? ''}`;
}

/**
 * Why an agent cannot talk without a language model: what is spoken then is English alone. Null where it can. `language`
 * is the agent's own where it is switched on, `text` the prompt as it was written.
 */
export function languageRefusal(agent: { language: string | null; text: string }): string | null {
  const code = promptLanguage(agent.language, agent.text);
  if (code === 'en') return null;
  const name = new Intl.DisplayNames('en', { type: 'language' }).of(code) ?? code;
  return `${agent.language === null ? 'Its prompt is written in' : 'Its language is'} ${name}, and without a language model only English is spoken.`;
}
