import type { Language } from '#lib/engine/languages/language.ts';
import { hideAbbreviations, showAbbreviations } from '#lib/text/abbreviations.ts';
import { findBusinessName, findPersonaName, type Names } from './card-names.ts';
import { compact } from './lines.ts';
import { findOpening } from './opening-line.ts';
import { phrasesFor } from './phrases.ts';
import { findQuote } from './quotes.ts';
import { readTemplate } from './template.ts';
import { findPersonVariable, variableUses } from './variables.ts';

export type Tone = 'calm' | 'warm' | 'professional';

/** What a prompt says of a voice card: null where it says nothing. */
export type DerivedCard = Names & {
  /** The line that the prompt spells out. */
  opening: string | null;
  scope: string | null;
  tone: Tone | null;
  aiDisclosure: string | null;
};

/** The rules read this far; what a prompt is about stands at its beginning. */
const MAX_READ = 20_000;
const MAX_NAME = 120;
const MAX_SCOPE = 1000;
const MAX_DISCLOSURE = 300;

/** Derives a voice card from a prompt, placeholders and all, by the rules of docs/prompts.md. Never throws. */
export function deriveCardByRules(prompt: string): DerivedCard {
  const { text, opening, ...names } = readNames(prompt);
  return {
    ...names,
    opening: opening ?? null,
    scope: wholeOrNull(findScope(prompt.slice(0, MAX_READ), text, opening)),
    tone: findTone(text),
    aiDisclosure: wholeOrNull(findDisclosure(text)),
  };
}

/** The names and the opening line that a prompt gives, by the same rules. */
export function findNames(prompt: string): Names & Pick<DerivedCard, 'opening'> {
  const { personaName, businessName, opening } = readNames(prompt);
  return { personaName, businessName, opening: opening ?? null };
}

function readNames(prompt: string): Names & { text: string; opening: string | undefined } {
  const text = plainText(prompt.slice(0, MAX_READ));
  const found = findOpening(text);
  const opening = found !== undefined && isWhole(found) ? found : undefined;
  const personaName = findPersonaName(text, opening)?.slice(0, MAX_NAME) ?? null;
  const businessName = findBusinessName(text, opening, personaName)?.slice(0, MAX_NAME) ?? null;
  return { text, opening, personaName, businessName };
}

/** Whether no placeholder was cut: a piece of one must neither be stored nor spoken. */
function isWhole(text: string): boolean {
  const count = (braces: string) => text.split(braces).length;
  return count('{{') === count('}}') && readTemplate(text).problems.length === 0;
}

function wholeOrNull(text: string | null | undefined): string | null {
  return text && isWhole(text) ? text : null;
}

export type ComposeRequest = {
  /** The prompt, which decides the language and the name variable. */
  prompt: string;
  direction: 'INBOUND' | 'OUTBOUND';
  /** The agent's language code where it has one. */
  language: string | null;
  /** The sentences of that language where a model made them. */
  made?: Language | undefined;
};

/** The opening line made of the names, for a prompt that spells none out. */
export function composeOpening(
  { prompt, direction, language, made }: ComposeRequest,
  { personaName, businessName }: { personaName: string | null; businessName: string },
): string {
  const phrases = phrasesFor(language, prompt, made);
  if (direction === 'INBOUND') return phrases.inboundOpening(personaName, businessName);
  const variables = variableUses(readTemplate(prompt.slice(0, MAX_READ)).nodes).map((use) => use.name);
  const person = findPersonVariable(variables);
  return phrases.outboundOpening(personaName, businessName, person === undefined ? null : `{{${person}}}`);
}

const SCOPE_LABEL =
  /^(?:scope|what you (?:help|do)(?: with)?|your (?:role|task|job|goal|purpose)|purpose|goal|objective|task|aufgabe|ziel|zweck|tarea|objetivo|tâche|objectif)\s*[:：]\s*(.{8,})$/imu;
const SCOPE_CUE =
  /\b(?:you help|you assist|you (?:can )?(?:handle|answer|book|schedule|take)|you are calling|you're calling|you call|calling \S.{0,60} (?:about|regarding|to|because)|^(?:help|assist|take|book|schedule|handle|collect|remind|confirm)\b|help(?:s|ing)? (?:callers|customers|patients|clients|guests|people|them)|your (?:job|task|role|goal|purpose|objective|mission) (?:is|are)|(?:the )?(?:purpose|goal|aim) of (?:this|the|your) call|responsible for|receptionist (?:who|that)|assistant (?:who|that)|hilfst|helfen|hilf |beantworte|deine aufgabe|ihre aufgabe|du rufst|sie rufen|ayudas|ayuda a|tu tarea|su tarea|llamas|aides?|aidez|ta tâche|votre tâche|tu appelles|vous appelez)/iu;

const HEADING = /^#{1,6}\s+(.+)$/u;
const SCOPE_HEADING =
  /^(?:scope|what you (?:help|do)(?: with)?|your (?:role|task|job|goal|purpose)|purpose|goal|objective|tasks?|aufgaben?|ziel|zweck|tareas?|objetivo|tâches?|objectif)\s*[:：]?\s*$/iu;

/** One to three sentences that say what the agent is there for; a section of that name says it first. */
function findScope(markdown: string, text: string, opening: string | undefined): string | null {
  const labelled = SCOPE_LABEL.exec(text)?.[1];
  if (labelled) return boundedSentences([labelled.trim()]);
  const tells = (sentence: string) =>
    isWhole(sentence) && !isAboutSpeech(sentence) && !opening?.includes(sentence);
  const section = sentencesOf(plainText(scopeSection(markdown)))
    .filter(tells)
    .slice(0, 3);
  if (section.length > 0) return boundedSentences(section);
  const candidates = sentencesOf(plainText(withoutHeadings(markdown))).filter(tells);
  const fitting = candidates.filter((sentence) => SCOPE_CUE.test(sentence)).slice(0, 3);
  const chosen =
    fitting.length > 0
      ? fitting
      : candidates.filter((sentence) => sentence.split(/\s+/).length >= 5).slice(0, 1);
  return chosen.length > 0 ? boundedSentences(chosen) : null;
}

/** What stands below the first heading that names the agent's scope, up to the next heading. */
function scopeSection(markdown: string): string {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => SCOPE_HEADING.test(HEADING.exec(line)?.[1] ?? ''));
  if (start < 0) return '';
  const length = lines.slice(start + 1).findIndex((line) => HEADING.test(line));
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n');
}

function withoutHeadings(markdown: string): string {
  return markdown
    .split('\n')
    .filter((line) => !HEADING.test(line))
    .join('\n');
}

const LINE_LABEL = /^\p{L}[\p{L} ]{1,24}[:：]\s/u;

/** Sentences that quote what to say, ask something, or say what not to do, describe no scope. */
function isAboutSpeech(sentence: string): boolean {
  if (sentence.endsWith('?') || findQuote(sentence, 0) !== undefined || LINE_LABEL.test(sentence))
    return true;
  return /\b(?:never|do not|don't|must not|cannot|nicht|niemals|nunca|jamais)\b/i.test(sentence);
}

function boundedSentences(sentences: string[]): string {
  let scope = '';
  for (const sentence of sentences) {
    const longer = scope === '' ? sentence : `${scope} ${sentence}`;
    if (longer.length > MAX_SCOPE) break;
    scope = longer;
  }
  return scope || `${sentences[0]?.slice(0, MAX_SCOPE - 1).trimEnd()}…`;
}

const TONE_LABEL = /^(?:tone(?: of voice)?|voice|style|tonfall|stil|tono|ton)\s*[:：]\s*(.+)$/imu;
const TONES: readonly (readonly [Tone, RegExp])[] = [
  [
    'calm',
    /\b(?:calm|calming|soothing|patient(?:ly)? and|gentle|gently|reassuring|relaxed|ruhig\p{L}*|geduldig\p{L}*|gelassen\p{L}*|tranquil[ao]|seren[ao]|calme|posée?)\b/iu,
  ],
  [
    'warm',
    /\b(?:warm(?:ly|th)?|friendly|cheerful(?:ly)?|welcoming|kind(?:ly)?|upbeat|empathetic|caring|freundlich\p{L}*|herzlich\p{L}*|warmherzig\p{L}*|amable|cálid[ao]|chaleureu(?:x|se)|aimable|sympathique)\b/iu,
  ],
  [
    'professional',
    /\b(?:professional(?:ly)?|formal(?:ly)?|businesslike|courteous(?:ly)?|polite(?:ly)?|concise|professionell\p{L}*|sachlich\p{L}*|förmlich\p{L}*|höflich\p{L}*|profesional|professionnel(?:le)?|poli(?:e|ment)?)\b/iu,
  ],
];
const NEGATED = /\b(?:not|n't|never|nicht|kein\w*|no|pas)\s+(?:\w+\s+)?$/iu;

/** The tone named first; a line `Tone: …` counts before the rest. */
function findTone(text: string): Tone | null {
  const labelled = TONE_LABEL.exec(text)?.[1];
  return (labelled === undefined ? null : firstTone(labelled)) ?? firstTone(text);
}

function firstTone(text: string): Tone | null {
  const found = TONES.flatMap(([tone, pattern]) => {
    const match = pattern.exec(text);
    const isMeant = match !== null && !NEGATED.test(text.slice(Math.max(0, match.index - 30), match.index));
    return isMeant ? [{ tone, at: match.index }] : [];
  });
  return found.toSorted((a, b) => a.at - b.at)[0]?.tone ?? null;
}

const DISCLOSURE_LABEL = /^(?:ai disclosure|disclosure|ki-hinweis)\s*[:：]\s*(.+)$/imu;
const DISCLOSURE_CUE =
  /\b(?:ask(?:s|ed)?|wonders?|want(?:s)? to know|question|gefragt|fragt|fragen|wissen will|preguntan?|demandent?|demande)\b[^.!?\n]{0,80}?\b(?:AI|A\.I\.|robot|bot|human|real person|machine|computer|artificial|KI|Roboter|Mensch|Computer|Maschine|IA|humano|humain|robot)\b/giu;

/** What to answer to "are you an AI?", where the prompt quotes it. */
function findDisclosure(text: string): string | undefined {
  const labelled = DISCLOSURE_LABEL.exec(text)?.[1];
  const label = labelled === undefined ? undefined : (findQuote(labelled, 0, 1)?.text ?? labelled.trim());
  if (label !== undefined && label.length <= MAX_DISCLOSURE) return label;
  for (const cue of text.matchAll(DISCLOSURE_CUE)) {
    const after = cue.index + cue[0].length;
    const quote = findQuote(text, after, Math.min(text.length, after + 120));
    if (quote && quote.text.length <= MAX_DISCLOSURE && quote.text.split(/\s+/).length >= 2)
      return quote.text;
  }
  return undefined;
}

const SENTENCE_BREAK = /(?<=[.!?]["”“»']?)\s+/u;

function sentencesOf(text: string): string[] {
  return text
    .split('\n')
    .flatMap((line) => hideAbbreviations(line).split(SENTENCE_BREAK))
    .map((sentence) => showAbbreviations(sentence).trim())
    .filter((sentence) => sentence.length >= 8);
}

/** Markdown's marks mean nothing to the rules; line breaks do. */
function plainText(text: string): string {
  return compact(text)
    .split('\n')
    .map((line) =>
      line.replace(/^\s*(?:#{1,6}\s+|[-*+•]\s+|\d{1,2}[.)]\s+|>\s*)+/u, '').replace(/\*\*|__/g, ''),
    )
    .join('\n');
}
