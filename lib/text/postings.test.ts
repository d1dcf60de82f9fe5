import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTermBlockWriter, readTermBlock, type TermBlock } from './postings.ts';
import { termHash } from './terms.ts';

function write(chunks: Iterable<[number, Iterable<string>]>): TermBlock[] {
  const blocks: TermBlock[] = [];
  const writer = createTermBlockWriter((written) => blocks.push(...written));
  for (const [number, terms] of chunks) writer.add(number, Array.from(terms, termHash));
  writer.flush();
  return blocks;
}

/** Looks into the blocks whose range holds the hash, as the database does. */
function numbersOf(blocks: TermBlock[], term: string): number[] {
  const hash = termHash(term);
  const numbers: number[] = [];
  for (const block of blocks.filter(({ low, high }) => low <= hash && hash <= high))
    readTermBlock(block.postings, new Set([hash]), (_, found) => numbers.push(...found));
  return numbers;
}

describe('term blocks', () => {
  it('name exactly the chunks that hold a term', () => {
    fc.assert(
      fc.property(
        fc.array(fc.uniqueArray(fc.stringMatching(/^[a-f]{1,3}$/), { maxLength: 20 })),
        (chunks) => {
          const blocks = write(chunks.entries());
          for (const term of ['a', 'bb', 'cab', 'fff'])
            expect(numbersOf(blocks, term)).toEqual(
              chunks.flatMap((terms, number) => (terms.includes(term) ? [number] : [])),
            );
        },
      ),
    );
  });

  it('stay small and in order where a document has millions of terms', () => {
    const chunks = 12_000;
    const blocks = write(
      (function* () {
        for (let number = 0; number < chunks; number++)
          yield [
            number,
            ['every', ...Array.from({ length: 200 }, (_, index) => `${number % 3_000}x${index}`)],
          ];
      })(),
    );
    expect(Math.max(...blocks.map((block) => block.postings.length))).toBeLessThan(64_000);
    expect(numbersOf(blocks, 'every')).toEqual(Array.from({ length: chunks }, (_, number) => number));
    expect(numbersOf(blocks, '17x3')).toEqual([17, 3_017, 6_017, 9_017]);
    expect(numbersOf(blocks, '3001x3')).toEqual([]);
  });

  it('of a document without terms are none', () => {
    expect(write([[0, []]])).toEqual([]);
  });
});
