import { endsInAbbreviation } from '#lib/text/abbreviations.ts';
import winkNLP, { type ItemSentence, type ItemToken } from 'wink-nlp';
import model from 'wink-eng-lite-web-model';

/** A word of a sentence: its stem joins "invoices" and "invoiced", `isNegated` marks what a "not" reaches. */
export type EnglishWord = { text: string; stem: string; isNegated: boolean; isStopWord: boolean };

export type EnglishSentence = {
  text: string;
  words: EnglishWord[];
};

type Reader = ReturnType<typeof winkNLP>;

let reader: Reader | undefined;

/** Loading the language model takes 0.1 to 0.2 s and 37 MB, which nobody should wait for who never reads English. */
function english(): Reader {
  reader ??= winkNLP(model, ['sbd', 'negation', 'sentiment', 'pos']);
  return reader;
}

/** The sentences of an English text with their words, by wink-nlp and its small English model. */
export function readEnglish(text: string): EnglishSentence[] {
  const { its, readDoc } = english();
  // The types of wink-nlp declare the features that a model adds too narrowly for `out`.
  const stem = its.stem as unknown as typeof its.normal;
  const sentences: EnglishSentence[] = [];
  readDoc(text)
    .sentences()
    .each((sentence: ItemSentence) => {
      const words: EnglishWord[] = [];
      sentence.tokens().each((token: ItemToken) => {
        if (token.out(its.type) !== 'word' && token.out(its.type) !== 'number') return;
        words.push({
          text: token.out(its.normal),
          stem: token.out(stem),
          isNegated: Boolean(token.out(its.negationFlag)),
          isStopWord: Boolean(token.out(its.stopWordFlag)),
        });
      });
      const said = sentence.out();
      const last = sentences.at(-1);
      // "Dra. López" is one sentence, which the library splits.
      if (last && endsInAbbreviation(last.text, said))
        sentences.splice(-1, 1, { text: `${last.text} ${said}`, words: [...last.words, ...words] });
      else sentences.push({ text: said, words });
    });
  return sentences;
}

/** How pleased or displeased an English sentence sounds, from -1 to 1; 0 where it says nothing of the kind. */
export function sentimentOfEnglish(text: string): number {
  const { its, readDoc } = english();
  return Number(readDoc(text).out(its.sentiment));
}

/** A spoken word in small letters, with its dictionary form ("passed", "pass") and what kind of word it is. */
export type SpokenWord = {
  text: string;
  lemma: string;
  kind: 'number' | 'adverb' | 'verb' | 'adjective' | 'other';
};

/** Longer utterances are read in part: nobody says so much at once, and reading takes time by the word. */
const MAX_CHARACTERS = 4_000;
/** How transcriptions and hurried people write what the library knows with an apostrophe. */
const KINDS: Readonly<Record<string, SpokenWord['kind']>> = {
  NUM: 'number',
  ADV: 'adverb',
  VERB: 'verb',
  ADJ: 'adjective',
};
/** Sounds of somebody who thinks, and false starts ("can can i"). */
const HESITATION: readonly [RegExp, string][] = [
  [/(?<![\w'])(?:u+h+m*|u+m+|e+r+m*|h+m+|mm+|a+h+|y'?know|you know,)(?![\w'])[,.]*/g, ' '],
  [/\b(i|it|the|can|do|is|a|what|how|my|we|you|so|and|to) \1\b/g, '$1'],
  [/\b(be|is|are|am|was|it's|you|this) like (?=an?\b)/g, '$1 '],
];
const WITHOUT_APOSTROPHE: readonly [RegExp, string][] = [
  [/\bim\b/g, 'i am'],
  [/\b(they|you)re\b/g, '$1 are'],
  [/\b(i|you|they)ve\b/g, '$1 have'],
  [/\b(what|where|who|how|that|there|she|he)s\b/g, '$1 is'],
  [/\b(i|you)ll(?= (?:be|have|take|call|come|do|see|get|try|go|let|need|not|pay|send|bring)\b)/g, '$1 will'],
  [/\bill(?= (?:be|have|take|call|come|do|see|get|try|go|let|need|not|pay|send|bring)\b)/g, 'i will'],
  [/\bid (?=like|love|rather|prefer|need)/g, 'i would '],
  [/\bwon'?t\b/g, 'will not'],
  [/\bcan'?t\b|\bcannot\b/g, 'can not'],
  [/\b(do|does|did|is|are|was|were|could|would|should|have|has|had|must)n'?t\b/g, '$1 not'],
  [/'m\b/g, ' am'],
  [/'re\b/g, ' are'],
  [/'ve\b/g, ' have'],
  [/'ll\b/g, ' will'],
  [/'d\b/g, ' would'],
  [/\b(gon|wan)na\b/g, '$1 to'],
  [/\bgon to\b/g, 'going to'],
  [/\bwan to\b/g, 'want to'],
  [/\bgotta\b/g, 'got to'],
  [/\blemme\b/g, 'let me'],
  [/\bd'you\b/g, 'do you'],
  [/\b(?:yous|ye|y'all|ya)\b/g, 'you'],
  [/(?<![\w'])'?em\b/g, 'them'],
  [/\bdunno\b/g, 'do not know'],
  [/\bta\b/g, 'thanks'],
  [/\baye\b/g, 'yes'],
];

/** The words of what somebody said or a document states, contractions taken apart ("can't" → "can", "not"). */
export function readSpokenWords(text: string): SpokenWord[] {
  const { its, readDoc } = english();
  const lemma = its.lemma as unknown as typeof its.normal;
  const words: SpokenWord[] = [];
  readDoc(inWords(text))
    .tokens()
    .each((token: ItemToken) => {
      const pos = token.out(its.pos);
      if (pos !== 'PUNCT')
        words.push({ text: token.out(its.value), lemma: token.out(lemma), kind: KINDS[pos] ?? 'other' });
    });
  return words;
}

/** Speech without sounds of thinking and with contractions taken apart: "um whats that" is "what is that". */
export function inWords(text: string): string {
  const small = text.slice(0, MAX_CHARACTERS).toLowerCase().replace(/[‘’]/g, "'");
  return [...HESITATION, ...WITHOUT_APOSTROPHE].reduce(
    (spelt, [pattern, words]) => spelt.replace(pattern, words),
    small,
  );
}
