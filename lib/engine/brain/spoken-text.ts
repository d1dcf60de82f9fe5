import { Lexer, type Token, type Tokens } from 'marked';
import { en } from '#lib/engine/languages/en.ts';
import type { SpokenLanguage } from '#lib/engine/languages/language.ts';
import { speakAddress, speakNumbers } from './spoken-address.ts';

const ENGLISH: SpokenLanguage = { code: 'en', lines: en };
const CITATION = /【[^】]*】|\[\^?\d{1,2}\](?!\()/g;
const PICTURES =
  /\p{Extended_Pictographic}|\p{Emoji_Modifier}|[\u{1F1E6}-\u{1F1FF}]|\u{FE0F}|\u{200D}|\u{20E3}|[\u{E0020}-\u{E007F}]/gu;
const FACES = /(?<=^|\s)[:;8=]['’]?-?[)(DPpO/\\|](?=\s|$)/g;
const ENTITIES: Record<string, string> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&nbsp;': ' ',
};

/**
 * One line of Markdown as it can be said aloud: formatting, tags, pictures, code marks, placeholders and citations left
 * out, links by their text, addresses spelled, numbers that are read digit by digit in groups. `isLineStart`: a heading
 * or list mark may come first. '' where nothing is left to say.
 */
export function toSpokenText(text: string, language = ENGLISH, isLineStart = true): string {
  const plain = text
    .replace(/\{\{[^}]*\}\}/g, ' ')
    .replace(CITATION, ' ')
    .trim()
    // No mark of Markdown, though every model writes it.
    .replace(/^[•◦▪–—]\s+/, '');
  const tokens = isLineStart ? new Lexer().lex(plain) : new Lexer().inlineTokens(plain);
  return tidy(speakTokens(tokens, language), language);
}

/** A table, row by row: "Monday: 9 to 5.", or with more columns "Monday: opens 9, closes 5." */
export function speakTable(text: string, language = ENGLISH): string[] {
  const table = new Lexer().lex(text).find((token): token is Tokens.Table => token.type === 'table');
  const say = (tokens: Token[]) => tidy(speakTokens(tokens, language), language);
  if (!table)
    return [say(new Lexer().inlineTokens(text.replace(/\s*\|\s*/g, ', ')))].filter((line) =>
      /\p{L}|\d/u.test(line),
    );
  const names = table.header.map((cell) => say(cell.tokens));
  return table.rows.map((row) => {
    const [first = '', ...others] = row.map((cell) => say(cell.tokens));
    const values = others
      .map((value, index) =>
        value === '' ? '' : others.length === 1 ? value : `${names[index + 1] ?? ''} ${value}`.trim(),
      )
      .filter((value) => value !== '');
    return endSentence([first, values.join(', ')].filter((part) => part !== '').join(': '));
  });
}

/** A line without a full stop (a heading, a list's item) is said as a sentence of its own. */
export function endSentence(text: string): string {
  return /[\p{L}\p{N}\p{M}\p{Sc}%)"”’]$/u.test(text) ? `${text}.` : text;
}

function speakTokens(tokens: readonly Token[], language: SpokenLanguage): string {
  return tokens.map((token) => speakToken(token, language)).join('');
}

function speakToken(token: Token, language: SpokenLanguage): string {
  switch (token.type) {
    case 'code':
    case 'html':
    case 'image':
    case 'hr':
    case 'def':
    case 'space':
    case 'br':
    case 'checkbox':
      return ' ';
    case 'list':
      return (token as Tokens.List).items.map((item) => speakTokens(item.tokens, language)).join(' ');
    case 'link': {
      const { href, text, tokens } = token as Tokens.Link;
      const isBare = href === text || href === `mailto:${text}` || href === `http://${text}`;
      return isBare ? speakAddress(text, language.lines.spelling) : speakTokens(tokens, language);
    }
    case 'codespan':
      return (token as Tokens.Codespan).text;
    default: {
      const { tokens, text } = token as { tokens?: Token[]; text?: string };
      return tokens ? speakTokens(tokens, language) : (text ?? '');
    }
  }
}

function tidy(text: string, language: SpokenLanguage): string {
  return (
    speakNumbers(text, language)
      .replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? ' ')
      .replace(/<\/?[a-z][^>]*>/gi, ' ')
      .replace(/\s&\s/g, ` ${language.lines.between.and} `)
      .replace(/\s*(?:-+>|=+>|→|⇒)\s*/g, ', ')
      .replace(FACES, ' ')
      .replace(PICTURES, ' ')
      // What is left of a mark whose other half is in another sentence.
      .replace(/\*\*|__|~~|`|(?<=^|\s)[*_](?=\p{L})|(?<=[\p{L}.!?])[*_](?=\s|$)/gu, '')
      .replace(/(\S)\s*\|\s*(?=\S)/g, '$1, ')
      .replace(/\s+([.,;!?])/g, '$1')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
