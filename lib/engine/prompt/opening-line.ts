import { compact, oneLine, withoutTrailing } from './lines.ts';
import { findQuote, unquoted } from './quotes.ts';

/** As long as the contract lets an opening be. */
const MAX_OPENING = 600;
/** How far a quoted text may stand from the words that announce it. */
const MAX_CUE_DISTANCE = 90;

/** How our own rendering of a single prompt writes it: everything between the outermost quotes is the line. */
const OWN_LABEL = /^opening$/i;
const LABELLED_LINE = /^([^:：]{2,40}?)(?:\s*[:：]\s*(.*)|\s+[–—=-]\s+(.*))?$/u;
const LABEL =
  /^(?:opening(?: line| statement| message| sentence)?|exact opening(?: line)?|(?:inbound |phone |call )?greeting(?: message| line)?|first (?:message|line|sentence|words)|welcome (?:message|line)|begrüßung(?:ssatz|stext)?|eröffnung(?:ssatz)?|erster satz|saludo(?: inicial)?|apertura|accueil|ouverture|message d['’]accueil|phrase d['’]ouverture)$/iu;

/** Words that announce the first thing to say; the quoted text after them is it. */
const CUE =
  /\b(?:greet(?:s|ing)?|answer (?:the phone|every call|each call|all calls|calls|the call|incoming calls|inbound calls|with)|when(?:ever)? (?:you )?answer(?:ing)?|open (?:the call|every call|each call|calls|with)|opening(?: line)?|start (?:the call|the conversation|every call|each call|calls|by|with|off|each conversation|every conversation)|begin (?:the call|the conversation|every call|each call|calls|by|with|each conversation|every conversation)|first (?:say|message|line|sentence|words)|say first|introduce yourself|welcome (?:callers|the caller|every caller|each caller|people)|pick up)\b|(?:\b(?:begrüß|beginn|starte|eröffne|melde|erste[rnms]? satz)|\b(?:saluda|salude|empieza|empiece|comienza|comience|contesta|conteste|commence|accueill|salue|débute|réponds)\p{L}*)/giu;
/** A sentence about another moment of the call announces no opening, whatever it quotes. */
const ANOTHER_MOMENT =
  /voice ?mail|mailbox|answering machine|anrufbeantworter|buzón|messagerie|good-?bye|hang up|end the call|closing|transfer|\basked\b|gefragt/i;

const GREETING_WORD =
  /^(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|thank you for calling|thanks for calling|welcome|howdy|this is|guten (?:tag|morgen|abend)|hallo|grüezi|grüß gott|servus|moin|willkommen|vielen dank|danke|hola|buenos|buenas|gracias por llamar|bonjour|bonsoir|salut|merci d['’]appeler)\b/iu;
const INSTRUCTION_WORD =
  /^(?:always|never|greet|say|start|begin|open|ask|introduce|use|be|keep|speak|answer|welcome (?:the|callers|every|each|people)|when|if|the|you|your|state|give|tell|make|do|identify|begrüße?|sage?|frage?|stelle?|beginne?|wenn|du|sie|immer|saluda|salude|di|pregunta|siempre|accueille|dis|demande|toujours)\b/iu;

/**
 * The opening line that a text for the agent spells out (docs/prompts.md, "Where an opening is found"), or
 * undefined. Placeholders stay as they are.
 */
export function findOpening(source: string): string | undefined {
  const text = compact(source);
  return fromLabel(text) ?? fromCue(text);
}

/** The same for a hand-written voice prompt, where the opening may also stand bare: a quoted line, or a greeting first. */
export function findVoicePromptOpening(voicePrompt: string): string | undefined {
  return findOpening(voicePrompt) ?? fromBareLine(compact(voicePrompt));
}

function fromLabel(text: string): string | undefined {
  const lines = text.split('\n');
  for (const [index, raw] of lines.entries()) {
    const [, label = '', afterColon, afterDash] = LABELLED_LINE.exec(withoutMarkdown(raw)) ?? [];
    if (!LABEL.test(label)) continue;
    const said = afterColon ?? afterDash ?? '';
    const found =
      OWN_LABEL.test(label) && /^".*"$/.test(said)
        ? usable(said.slice(1, -1))
        : spokenText(said || paragraphAfter(lines, index));
    if (found !== undefined) return found;
  }
  return undefined;
}

function paragraphAfter(lines: string[], index: number): string {
  const rest = lines.slice(index + 1, index + 12).map(withoutMarkdown);
  const start = rest.findIndex((line) => line !== '');
  if (start === -1) return '';
  const end = rest.findIndex((line, at) => at > start && line === '');
  return rest.slice(start, end === -1 ? undefined : end).join(' ');
}

/** What is really said: the quoted text, or all of it when it reads like speech. */
function spokenText(said: string): string | undefined {
  const quote = findQuote(said, 0, 1);
  if (quote) return usable(quote.text);
  return INSTRUCTION_WORD.test(said) ? undefined : usable(said);
}

function fromCue(text: string): string | undefined {
  for (const cue of text.matchAll(CUE)) {
    const after = cue.index + cue[0].length;
    if (ANOTHER_MOMENT.test(text.slice(sentenceStart(text, cue.index), after))) continue;
    const reach = text.slice(after, after + MAX_CUE_DISTANCE);
    const sentenceEnd = reach.search(/[.!?](?:\s|$)|\n\s*\n/);
    const until = after + (sentenceEnd === -1 ? reach.length : sentenceEnd);
    const quote = findQuote(text, after, until);
    const announced = text.slice(after, quote?.start ?? until);
    if (ANOTHER_MOMENT.test(announced)) continue;
    const found = quote ? usable(quote.text, 2) : afterColon(text, after, announced);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** "Greet callers with: Hello, this is Mia." */
function afterColon(text: string, from: number, announced: string): string | undefined {
  const colon = announced.lastIndexOf(':');
  if (colon === -1) return undefined;
  const line =
    text
      .slice(from + colon + 1)
      .split('\n', 1)[0]
      ?.trim() ?? '';
  return GREETING_WORD.test(line) ? usable(line, 2) : undefined;
}

function fromBareLine(text: string): string | undefined {
  const lines = text
    .split('\n')
    .map(withoutMarkdown)
    .filter((line) => line !== '');
  const first = lines[0] ?? '';
  const quoteFirst = findQuote(first, 0, 1);
  if (quoteFirst) return usable(quoteFirst.text, 2);
  if (GREETING_WORD.test(first)) return usable(first, 2);
  const quotedLine = lines.find((line) => findQuote(line, 0, 1)?.end === line.length);
  return quotedLine === undefined ? undefined : usable(unquoted(quotedLine), 3);
}

function usable(text: string, minWords = 1): string | undefined {
  const line = oneLine(text);
  // "[your name]" is a gap somebody forgot to fill in; it must not be spoken.
  if (/\[[^\]]*\]|<[a-z][^>]*>/i.test(line)) return undefined;
  return line !== '' && line.length <= MAX_OPENING && line.split(/\s+/).length >= minWords ? line : undefined;
}

function withoutMarkdown(line: string): string {
  const text = line
    .trim()
    .replace(/^(?:#{1,6}\s+|[-*+•]\s+|\d{1,2}[.)]\s+|>\s*)+/u, '')
    .replace(/\*\*|__/g, '');
  return withoutTrailing(text, '# ').trim();
}

function sentenceStart(text: string, before: number): number {
  const window = text.slice(Math.max(0, before - 200), before);
  const breaks = [...window.matchAll(/[.!?]\s|\n/g)];
  const last = breaks.at(-1);
  return last ? before - window.length + last.index + 1 : before - window.length;
}
