import type { ListeningOptions } from '#lib/ports/speech.ts';

export type OpenAiTranscriptionOptions = {
  apiKey: string;
  /** Of a compatible server, with its `/v1`; undefined = OpenAI. */
  baseUrl: string | undefined;
  model: string;
};

/** OpenAI's models that take the expected words as a list; all others find them in a prompt. */
const TAKES_KEYWORDS = /^gpt-(?:live-)?transcribe/;
/** These refuse a prompt. */
const TAKES_NO_PROMPT = /^(?:gpt-realtime-whisper|gpt-4o-transcribe-diarize)/;
/** Where the person may change the language, one that is named would bend their words into it. */
const languageOf = ({ language, isMultilingual }: ListeningOptions) =>
  language === null || isMultilingual ? undefined : language.split('-')[0]?.toLowerCase();

/** What a model is told about the words to expect; the same fields in a request and in a session. */
export function expectations(
  model: string,
  listening: ListeningOptions,
): { language?: string; keywords?: string[]; prompt?: string } {
  const language = languageOf(listening);
  const { hints } = listening;
  const words = TAKES_KEYWORDS.test(model) ? { keywords: hints } : { prompt: hints.join(', ') };
  return {
    ...(language ? { language } : {}),
    ...(hints.length === 0 || TAKES_NO_PROMPT.test(model) ? {} : words),
  };
}

/** Whisper writes what is no speech in brackets or with notes: "[BLANK_AUDIO]", "(coughs)", "♪". */
export function spokenWords(text: string): string {
  return text
    .replace(/\[[^\]]*\]|\([^)]*\)|[♪♫]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
