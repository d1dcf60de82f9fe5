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
      sentences.push({ text: sentence.out(), words });
    });
  return sentences;
}

/** How pleased or displeased an English sentence sounds, from -1 to 1; 0 where it says nothing of the kind. */
export function sentimentOfEnglish(text: string): number {
  const { its, readDoc } = english();
  return Number(readDoc(text).out(its.sentiment));
}

/** A spoken word in small letters, with its dictionary form: "passed", "pass". */
export type SpokenWord = { text: string; lemma: string; isNumber: boolean };

/** Longer utterances are read in part: nobody says so much at once, and reading takes time by the word. */
const MAX_CHARACTERS = 4_000;
/** How transcriptions and hurried people write what the library knows with an apostrophe. */
const WITHOUT_APOSTROPHE: readonly [RegExp, string][] = [
  [/\bim\b/g, 'i am'],
  [/\b(they|you)re\b/g, '$1 are'],
  [/\b(i|you|they)ve\b/g, '$1 have'],
  [/\b(what|where|who|how|that|there)s\b/g, '$1 is'],
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
        words.push({ text: token.out(its.value), lemma: token.out(lemma), isNumber: pos === 'NUM' });
    });
  return words;
}

function inWords(text: string): string {
  const small = text.slice(0, MAX_CHARACTERS).toLowerCase().replace(/[‘’]/g, "'");
  return WITHOUT_APOSTROPHE.reduce((spelt, [pattern, words]) => spelt.replace(pattern, words), small);
}
