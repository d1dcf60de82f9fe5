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

/** Loading the language model takes 0.2 s, which nobody should wait for who never reads English. */
function english(): Reader {
  reader ??= winkNLP(model, ['sbd', 'negation', 'sentiment']);
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
