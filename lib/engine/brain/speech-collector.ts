import type { SpokenLanguage } from '#lib/engine/languages/language.ts';
import { takeSentences } from './sentences.ts';
import { endSentence, speakTable, toSpokenText } from './spoken-text.ts';

/** What a line begins that is no prose: nothing of it can be said before it is whole, or at all. */
type Block = { kind: 'table' | 'code' | 'data'; lines: string[] };

export type SpeechCollector = {
  /** Takes text as it streams in, gives the pieces that can be spoken by now: whole sentences, whole rows of tables. */
  push(delta: string): string[];
  /** Nothing more comes: gives what is left, also where it is no whole sentence. */
  flush(): string[];
};

/** Turns a streamed answer (Markdown, as models write it) into speech, as early as it can be told what will be said. */
export function createSpeechCollector(language?: SpokenLanguage): SpeechCollector {
  let buffer = '';
  let block: Block | undefined;
  /** Nothing of the present line was spoken yet. */
  let isLineStart = true;

  function speak(sentences: string[], isLineDone: boolean): string[] {
    return sentences.flatMap((sentence, index) => {
      const text = toSpokenText(sentence, language, isLineStart);
      isLineStart = false;
      const spoken = isLineDone && index === sentences.length - 1 ? endSentence(text) : text;
      return /[\p{L}\p{N}]/u.test(spoken) ? [spoken] : [];
    });
  }

  function endBlock(): string[] {
    const ended = block;
    block = undefined;
    return ended?.kind === 'table' ? speakTable(ended.lines.join('\n'), language) : [];
  }

  function takeLine(line: string): string[] {
    if (block) {
      if (belongsTo(block, line)) {
        block.lines.push(line);
        return block.kind === 'code' && isFence(line) ? endBlock() : [];
      }
      return [...endBlock(), ...takeLine(line)];
    }
    block = isLineStart ? beginBlock(line) : undefined;
    if (block) return [];
    const { sentences, rest } = takeSentences(line, { isWhole: true, language: language?.code });
    const spoken = speak(rest === '' ? sentences : [...sentences, rest], true);
    isLineStart = true;
    return spoken;
  }

  function takeWholeLines(): string[] {
    const lines = buffer.split('\n');
    buffer = lines.pop() ?? '';
    return lines.flatMap((line) => takeLine(line));
  }

  return {
    push(delta) {
      buffer += delta;
      const spoken = takeWholeLines();
      if (block || (isLineStart && mayBeginBlock(buffer))) return spoken;
      const { sentences, rest } = takeSentences(buffer, { isWhole: false, language: language?.code });
      buffer = rest;
      return [...spoken, ...speak(sentences, false)];
    },
    flush() {
      const last = buffer;
      buffer = '';
      return [...(last === '' ? [] : takeLine(last)), ...endBlock()];
    },
  };
}

function isFence(line: string): boolean {
  return /^\s*(?:```|~~~)/.test(line);
}

function beginBlock(line: string): Block | undefined {
  if (isFence(line)) return { kind: 'code', lines: [line] };
  if (/^\s*\|/.test(line)) return { kind: 'table', lines: [line] };
  // A tool call or its result, written out instead of being used.
  return /^\s*(?:\{\s*"|\[\s*\{|\{\s*$)/.test(line) ? { kind: 'data', lines: [line] } : undefined;
}

function belongsTo(block: Block, line: string): boolean {
  if (block.kind === 'code') return true;
  return block.kind === 'table' ? /^\s*\|/.test(line) : line.trim() !== '' && /^\s|^[\]}[{"]/.test(line);
}

/** Whether this beginning of a line can still become something that is no prose. */
function mayBeginBlock(start: string): boolean {
  return /^\s*(?:[`~|{[]|$)/.test(start) && !/^\s*(?:`[^`]|~[^~]|\[[^\s{]|\{\{)/.test(start);
}
