import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Block, CHUNK_CHARACTERS, type Chunk } from './chunk.ts';
import { sentencesOf } from './sentences.ts';
import { createSplitter } from './splitter.ts';

function split(blocks: Block[]): Chunk[] {
  const chunks: Chunk[] = [];
  const splitter = createSplitter((chunk) => chunks.push(chunk));
  for (const block of blocks) splitter.add(block);
  splitter.finish();
  return chunks;
}

const sentence = (index: number) =>
  `This is sentence number ${index} of a text that goes on for quite some time.`;
const prose = (count: number) => Array.from({ length: count }, (_, index) => sentence(index)).join(' ');

describe('prose', () => {
  it('makes chunks of about 2,200 characters that begin and end on sentence borders', () => {
    const chunks = split([{ kind: 'prose', text: prose(300) }]);
    expect(chunks.length).toBeGreaterThan(8);
    for (const chunk of chunks.slice(0, -1)) expect(chunk.text.length).toBeGreaterThan(1_900);
    for (const chunk of chunks) {
      expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
      expect(chunk.text).toMatch(/^This is sentence/);
      expect(chunk.text).toMatch(/some time\.$/);
    }
  });

  it('overlaps by whole sentences', () => {
    const chunks = split([{ kind: 'prose', text: prose(300) }]);
    for (const [index, chunk] of chunks.slice(1).entries()) {
      const first = chunk.text.slice(0, chunk.text.indexOf('.') + 1);
      expect(chunks[index]?.text).toContain(first);
      expect(chunk.start).toBeLessThan(chunks[index]?.end ?? 0);
    }
  });

  it('keeps every sentence, in a chunk of its own or another', () => {
    const chunks = split([{ kind: 'prose', text: prose(500) }]);
    for (let index = 0; index < 500; index++)
      expect(chunks.some((chunk) => chunk.text.includes(sentence(index)))).toBe(true);
  });

  it('loses no character of any text, and says where each chunk stands', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 6_000 }), {
          minLength: 1,
          maxLength: 5,
        }),
        (texts) => {
          const chunks = split(texts.map((text) => ({ kind: 'prose' as const, text })));
          const whole = texts.map((text) => `${text.replaceAll('\u0000', '')}\n\n`).join('');
          let covered = 0;
          for (const chunk of chunks) {
            expect(chunk.text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
            expect(chunk.text.isWellFormed()).toBe(true);
            expect(whole.slice(chunk.start, chunk.end)).toBe(chunk.text);
            expect(whole.slice(covered, Math.max(covered, chunk.start)).trim()).toBe('');
            covered = Math.max(covered, chunk.end);
          }
          expect(whole.slice(covered).trim()).toBe('');
        },
      ),
      { numRuns: 60 },
    );
  });

  it('ends on sentences in languages without spaces', () => {
    const chunks = split([
      { kind: 'prose', text: '東京は日本の首都です。人口は約千四百万人です。'.repeat(200) },
    ]);
    expect(chunks.length).toBeGreaterThan(1);
    for (const chunk of chunks) expect(chunk.text).toMatch(/。$/);
  });

  it('cuts a text without any sentence between words', () => {
    const chunks = split([{ kind: 'prose', text: 'word '.repeat(2_000) }]);
    for (const chunk of chunks) expect(chunk.text).toMatch(/^word.*word$/s);
  });

  it('splits no character of an endless word', () => {
    for (const chunk of split([{ kind: 'prose', text: '😀'.repeat(3_000) }]))
      expect(chunk.text.isWellFormed()).toBe(true);
  });

  it('does not end a sentence at an abbreviation or at a wrapped line', () => {
    const text = 'Please ask Dr. Miller for it.\nThis line was\nwrapped in the middle. Next.';
    expect(sentencesOf(text).map((span) => text.slice(span.start, span.end).trim())).toEqual([
      'Please ask Dr. Miller for it.',
      'This line was\nwrapped in the middle.',
      'Next.',
    ]);
  });
});

describe('headings', () => {
  it('are known to each chunk as a path, and begin one', () => {
    const chunks = split([
      { kind: 'heading', level: 1, text: 'Prices' },
      { kind: 'prose', text: prose(20) },
      { kind: 'heading', level: 2, text: 'Whitening' },
      { kind: 'prose', text: prose(60) },
      { kind: 'heading', level: 1, text: 'Contact' },
      { kind: 'prose', text: 'Call us.' },
    ]);
    expect(chunks.map((chunk) => chunk.place.headings)).toEqual([
      ['Prices'],
      ['Prices', 'Whitening'],
      ['Prices', 'Whitening'],
      ['Prices', 'Whitening'],
      ['Contact'],
    ]);
    expect(chunks[1]?.text).toMatch(/^## Whitening\n/);
    expect(chunks.map((chunk) => chunk.prefix)).toEqual([
      '',
      '# Prices\n',
      '# Prices\n## Whitening\n',
      '# Prices\n## Whitening\n',
      '',
    ]);
    for (const chunk of chunks)
      expect(chunk.prefix.length + chunk.text.length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
  });

  it('stay marked in the text, where short sections share a chunk', () => {
    const [chunk, ...others] = split([
      { kind: 'heading', level: 1, text: 'Harbor Dental' },
      { kind: 'heading', level: 2, text: 'Opening hours' },
      { kind: 'prose', text: 'We open at 8 am.' },
      { kind: 'heading', level: 2, text: 'Parking' },
      { kind: 'prose', text: 'Free, in the yard.' },
    ]);
    expect(others).toEqual([]);
    expect(chunk?.text).toBe(
      '# Harbor Dental\n\n## Opening hours\n\nWe open at 8 am.\n\n## Parking\n\nFree, in the yard.',
    );
  });

  it('that are very long do not crowd out the text: the innermost are repeated', () => {
    const long = (name: string) => `${name} ${'x'.repeat(190)}`;
    const chunks = split([
      ...['One', 'Two', 'Three'].map((name, index): Block => ({
        kind: 'heading',
        level: index + 1,
        text: long(name),
      })),
      { kind: 'prose', text: prose(60) },
    ]);
    expect(chunks.at(-1)?.prefix).toBe(`### ${long('Three')}\n`);
  });
});

describe('pages', () => {
  it('are counted where a chunk begins', () => {
    const chunks = split([1, 2, 3].map((page) => ({ kind: 'prose', text: prose(25), page })));
    expect(chunks.map((chunk) => chunk.place.page)).toEqual([1, 2, 3]);
  });
});

describe('records', () => {
  const rows = Array.from({ length: 200 }, (_, index): Block => ({
    kind: 'record',
    text: `Name ${index} | ${index} euros`,
    header: 'Name | Price',
    row: index + 1,
  }));

  it('stay whole, with the header before each chunk and their row numbers', () => {
    const chunks = split(rows);
    expect(chunks.length).toBeGreaterThan(1);
    let next = 1;
    for (const chunk of chunks) {
      expect(chunk.prefix).toBe('Name | Price\n');
      expect(chunk.place.rows?.[0]).toBe(next);
      next = (chunk.place.rows?.[1] ?? 0) + 1;
      expect((chunk.prefix + chunk.text).length).toBeLessThanOrEqual(CHUNK_CHARACTERS);
    }
    expect(next).toBe(201);
  });

  it('too long for one chunk are cut, each part with the header', () => {
    const chunks = split([{ kind: 'record', text: prose(100), header: 'Notes', row: 1 }]);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk).toMatchObject({ prefix: 'Notes\n', place: { rows: [1, 1] } });
  });

  it('are placed by their JSON paths', () => {
    const chunks = split(
      ['$.items[0]', '$.items[1]', '$.items[2]'].map((jsonPath) => ({
        kind: 'record',
        text: 'x'.repeat(900),
        jsonPath,
      })),
    );
    expect(chunks.map((chunk) => chunk.place.jsonPath)).toEqual(['$.items[0] to $.items[1]', '$.items[2]']);
  });

  it('stand at the right place behind prose and before it', () => {
    const chunks = split([
      { kind: 'prose', text: 'Before.' },
      ...rows.slice(0, 2),
      { kind: 'prose', text: 'After.' },
    ]);
    expect(chunks.map((chunk) => [chunk.text, chunk.start])).toEqual([
      ['Before.', 0],
      ['Name 0 | 0 euros\nName 1 | 1 euros', 9],
      ['After.', 43],
    ]);
  });
});
