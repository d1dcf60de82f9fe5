import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { LEXICAL_MODEL } from '#lib/text/lexical-vector.ts';
import type { CopyRows } from '../content/rows.ts';
import { fileTypeOf } from '../rules.ts';
import { createParsePool, type ParseJob, type ParsePool } from './pool.ts';
import { docxOf, paragraph, pdfOf, pdfText } from './testing-files.ts';
import { HOSTILE_FILES, type TestFile } from './testing-hostile.ts';
import { type ChunkSeen, chunksIn, numbersIn } from './testing-rows.ts';
import { limitsFor, UnreadableDocument } from './unreadable.ts';

const pool = createParsePool(2);

function jobOf(name: string, bytes: Buffer<ArrayBuffer>): ParseJob {
  return {
    workspaceId: 'ws_test',
    order: {
      documentId: 'doc_test',
      fileType: fileTypeOf(name),
      sizeBytes: bytes.length,
      limits: limitsFor(bytes.length),
      model: LEXICAL_MODEL,
    },
    open: async () => new Blob([bytes]).stream(),
    onStart: async () => {},
    onRows: async () => {},
    signal: new AbortController().signal,
  };
}

async function parse(name: string, content: Buffer | string, given: Partial<ParseJob> = {}) {
  const chunks: ChunkSeen[] = [];
  const result = await pool.run({
    ...jobOf(name, Buffer.from(content)),
    onRows: async (rows) => void chunks.push(...chunksIn(rows)),
    ...given,
  });
  return { ...result, chunks, text: chunks.map((chunk) => chunk.text).join('\n') };
}

const reasonFor = (name: string, content: Buffer | string) =>
  parse(name, content).then(
    () => 'COMPLETED',
    (error: unknown) => (error instanceof UnreadableDocument ? error.message : Promise.reject(error)),
  );

describe('good files', () => {
  it('PDF: every page of a long list, in order', async () => {
    const pages = Array.from({ length: 500 }, (_, index) => ({
      content: pdfText([`This is page number ${index + 1}.`]),
    }));
    const { chunks } = await parse('long.pdf', pdfOf(pages));
    const numbers = chunks.flatMap((chunk) =>
      Array.from(chunk.text.matchAll(/page number (\d+)/g), (match) => Number(match[1])),
    );
    expect([...new Set(numbers)]).toEqual(pages.map((_, index) => index + 1));
    expect(chunks.at(-1)?.source.page).toBeGreaterThan(400);
  });

  it('PDF: text with its pages', async () => {
    const { chunks } = await parse(
      'a.pdf',
      pdfOf([
        { content: pdfText(['The first page.']) },
        { content: '' },
        { content: pdfText(['Whitening costs', '240 euros.']), filters: 1 },
      ]),
    );
    expect(chunks).toHaveLength(1);
    expect(chunks[0]).toMatchObject({
      text: 'The first page.\n\nWhitening costs\n240 euros.',
      source: { page: 1 },
    });
  });

  it('DOCX: text, headings by style, lists and tables', async () => {
    const table = `<w:tbl><w:tr><w:tc>${paragraph('Treatment')}</w:tc><w:tc>${paragraph('Price')}</w:tc></w:tr><w:tr><w:tc>${paragraph('Whitening')}</w:tc><w:tc>${paragraph('240')}</w:tc></w:tr></w:tbl>`;
    const { chunks } = await parse(
      'a.docx',
      docxOf(
        paragraph('Our prices', 'Heading1') +
          paragraph('What you pay &amp; when.') +
          '<w:p/>' +
          paragraph('Details', 'berschrift2') +
          table,
      ),
    );
    expect(chunks).toHaveLength(1);
    expect(chunks[0]?.text).toBe(
      '# Our prices\n\nWhat you pay & when.\n\n## Details\n\nTreatment | Price\nWhitening | 240',
    );
    expect(chunks[0]?.source.headings).toEqual(['Our prices']);
  });

  it('DOCX: many paragraphs, read in parts', async () => {
    const { text } = await parse(
      'a.docx',
      docxOf(
        Array.from({ length: 12_000 }, (_, index) =>
          paragraph(`Paragraph number ${index} of this document.`),
        ).join(''),
      ),
    );
    for (const index of [0, 5_999, 11_999]) expect(text).toContain(`Paragraph number ${index} of`);
  });

  it('Markdown: headings, but not in code', async () => {
    const { chunks } = await parse(
      'a.md',
      `# One\n\n${'Text. '.repeat(120)}\n\nTwo\n---\n\n\`\`\`\n# no heading\n\`\`\`\n`,
    );
    expect(chunks.map((chunk) => chunk.source.headings)).toEqual([['One'], ['One', 'Two']]);
  });

  it('CSV: any delimiter, quotes, the header in each chunk', async () => {
    const { chunks } = await parse(
      'a.csv',
      `Name;Price\n"Miller; Anna";1\n${Array.from({ length: 400 }, (_, index) => `Person ${index};${index}`).join('\n')}`,
    );
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.text).toContain('Miller; Anna | 1');
    for (const chunk of chunks) expect(chunk.text).toMatch(/^Name \| Price\n/);
    expect(chunks.at(-1)?.source.rows?.[1]).toBe(401);
  });

  it('CSV: cells with single spaces, whatever stands in them', async () => {
    const { chunks } = await parse(
      'a.csv',
      'Name,Note\n  Anna , a  b\nBob,"two\nlines"\nCleo,\n,\u00a0x\t\nDan | Eve,| F |\n',
    );
    expect(chunks.map(({ text }) => text)).toEqual([
      'Name | Note\nAnna | a b\nBob | two lines\nCleo | \n | x\nDan | Eve | | F |',
    ]);
  });

  it('JSON: values with their paths', async () => {
    const { chunks } = await parse(
      'a.json',
      '{"clinic": {"name": "Alpha", "open": true}, "staff": [{"name": "Anna", "days": ["Mon", "Tue"]}, {"name": "B\\u00f6rn\\ud800"}], "none": null}',
    );
    expect(chunks[0]?.text).toBe(
      '$.staff[0]\nname: Anna\ndays[0]: Mon\ndays[1]: Tue\n$.staff[1]\nname: Börn\ufffd\n$\nclinic.name: Alpha\nclinic.open: true',
    );
  });

  it('JSON: numbers of a list in one line', async () => {
    const { chunks } = await parse(
      'a.json',
      '{"sizes": [1, 2.5, null, true, "x", 3, 4], "grid": [[1, 2], [3]], "days": ["Mon", "null"], "on": false, "last": [5]}',
    );
    expect(chunks[0]?.text).toBe(
      'sizes: 1, 2.5, true\nsizes[4]: x\nsizes: 3, 4\ngrid[0]: 1, 2\ngrid[1]: 3\ndays[0]: Mon\ndays[1]: null\non: false\nlast: 5',
    );
  });

  it('tables and lists of the shortest values', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `${index % 10},${index % 7},,`).join('\n');
    const table = await parse('a.csv', `a,b,c,d\n,,,\n  ,,\t,\n${rows}`);
    expect(table.chunks.at(-1)?.source.rows?.[1]).toBe(60_000);
    const list = await parse(
      'a.json',
      JSON.stringify(Array.from({ length: 300_000 }, (_, index) => index % 10)),
    );
    expect(list.chunks.at(-1)?.text).toMatch(/^\d(?:, \d)+$/);
  }, 60_000);

  it('many chunks: numbered in their order, and each with its vector and code', async () => {
    const written: CopyRows[] = [];
    const text = Array.from({ length: 12_000 }, (_, index) => `This is sentence number ${index}.`).join(' ');
    const { chunkCount } = await parse('long.txt', text, {
      // The bytes hold only until they were taken.
      onRows: async (rows) => void written.push(...structuredClone(rows)),
    });
    expect(chunkCount).toBeGreaterThan(150);
    const numbers = Array.from({ length: chunkCount }, (_, index) => index);
    for (const table of ['chunks', 'vectors', 'codes'] as const)
      expect(numbersIn(written, table)).toEqual(numbers);
    const starts = chunksIn(written).map(({ source }) => source.start);
    expect(starts).toEqual(starts.toSorted((one, other) => one - other));
  });

  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffGrüße aus Köln.')],
    ['UTF-16 little endian with a mark', Buffer.from('\ufeffGrüße aus Köln.', 'utf16le')],
    ['UTF-16 big endian with a mark', Buffer.from('\ufeffGrüße aus Köln.', 'utf16le').swap16()],
    ['UTF-16 without a mark', Buffer.from('Grüße aus Köln.', 'utf16le')],
    ['Windows-1252', Buffer.from('Gr\u00fc\u00dfe aus K\u00f6ln.', 'latin1')],
  ])('reads text in %s', async (_, bytes) => {
    expect((await parse('a.txt', bytes)).text).toBe('Grüße aus Köln.');
  });

  it.each([
    ['of Western Europe, a few signs in it', "It's 20 °C.", Buffer.from("It's 20 \u00b0C.", 'latin1')],
    [
      'of Eastern Europe',
      'Часы работы: с понедельника по пятницу, запись по телефону.',
      inWindows1251('Часы работы: с понедельника по пятницу, запись по телефону.'),
    ],
    [
      'of Japan',
      '営業時間は月曜日から金曜日までです。お電話ください。',
      Buffer.from('iWOLxo6eitSCzYyOl2qT+oKpgueL4Jdqk/qC3ILFgsWCt4FCgqiTZJhigq2CvoKzgqKBQg==', 'base64'),
    ],
  ])('reads text in an encoding from before Unicode: %s', async (_, written, bytes) => {
    expect((await parse('a.txt', bytes)).text).toBe(written);
  });
});

/** Cyrillic letters stand there in the order of Unicode. */
function inWindows1251(text: string): Buffer {
  return Buffer.from(
    Array.from(text, (letter) => {
      const code = letter.codePointAt(0) ?? 0;
      return code < 0x80 ? code : code - 0x410 + 0xc0;
    }),
  );
}

describe('hostile files', () => {
  /** These take seconds and differ from smaller files of the list only in size. */
  const LARGE = new Set([
    'a DOCX that unpacks to 300 MB',
    '50 MB of zeros called text',
    'a PDF whose text inflates',
    'a PDF of 19,000 pages',
    'JSON of 20 million empty lists',
    'a CSV of 25 million rows',
    'one line of 50 MB',
  ]);
  for (const file of HOSTILE_FILES)
    it(
      `${file.what} ends in time, in little memory, with a reason`,
      {
        timeout: 120_000,
        tags: LARGE.has(file.what) ? ['nightly'] : [],
      },
      () => expectHarmless(file),
    );

  async function expectHarmless(file: TestFile): Promise<void> {
    const bytes = file.bytes();
    const { busyMs } = limitsFor(bytes.length);
    const child = watchChild();
    const startedAt = performance.now();
    const reason = await reasonFor(file.name, bytes);
    const { peakBytes, processorMs } = child.stop();
    if (file.expected === 'COMPLETED') expect(reason).toBe('COMPLETED');
    else expect(reason).toMatch(file.expected);
    expect(processorMs).toBeLessThan(busyMs + 500);
    // The clock's limit of the process, and much for a busy machine to start it, feed it and end it.
    expect(performance.now() - startedAt).toBeLessThan(busyMs * 1.3 + 30_000);
    expect(peakBytes).toBeLessThan(512 * 1024 * 1024);
  }
});

describe('the pool', () => {
  it('gives a waiting workspace its turn before the third document of another one', async () => {
    const order: string[] = [];
    const runIn = (some: ParsePool) => (workspaceId: string, name: string) =>
      some.run({
        ...jobOf('a.txt', Buffer.from('hello')),
        workspaceId,
        onStart: async () => void order.push(name),
      });
    const run = runIn(createParsePool(1));
    await Promise.all([run('a', 'a1'), run('a', 'a2'), run('b', 'b1')]);
    expect(order).toEqual(['a1', 'a2', 'b1']);
    order.length = 0;
    const runTwo = runIn(createParsePool(2));
    await Promise.all([runTwo('a', 'a1'), runTwo('a', 'a2'), runTwo('a', 'a3'), runTwo('b', 'b1')]);
    expect(order.indexOf('b1')).toBeLessThan(order.indexOf('a3'));
  });

  it('kills the process of a document that was taken away, and leaves the queue when it was waiting', async () => {
    const abort = new AbortController();
    const running = parse('a.txt', 'word '.repeat(2_000_000), { signal: abort.signal });
    setTimeout(() => abort.abort(new Error('taken away')), 300);
    await expect(running).rejects.toThrow('taken away');
    await expect(parse('a.txt', 'still works')).resolves.toMatchObject({ chunkCount: 1 });
  });

  it('ends with the fault of whoever takes the rows, who is given no more', async () => {
    let taken = 0;
    const running = parse('a.txt', 'word '.repeat(2_000_000), {
      onRows: async () => {
        taken += 1;
        if (taken === 2) throw new Error('the database is gone');
      },
    });
    await expect(running).rejects.toThrow('the database is gone');
    expect(taken).toBe(2);
    await expect(parse('a.txt', 'still works')).resolves.toMatchObject({ chunkCount: 1 });
  });

  it('does not return before the last rows were taken or refused, so that what it wrote can be removed', async () => {
    const abort = new AbortController();
    let underWay = 0;
    const running = parse('a.txt', 'word '.repeat(2_000_000), {
      signal: abort.signal,
      onRows: async () => {
        underWay += 1;
        abort.abort(new Error('taken away'));
        await vi.waitFor(() => expect(childrenNow()).toEqual([]), { timeout: 10_000 });
        underWay -= 1;
      },
    });
    await expect(running).rejects.toThrow('taken away');
    expect(underWay).toBe(0);
  });

  it('refuses to read a stored file that is not as long as it was', async () => {
    const { order } = jobOf('a.txt', Buffer.from('longer than that'));
    const reason = 'the stored file has 5 bytes instead of 16';
    await expect(parse('a.txt', 'short', { order })).rejects.toThrow(reason);
  });
});

/** Child processes, as the kernel describes them. */
function childrenNow(): { pid: string; status: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid, status: readIfThere(`/proc/${pid}/status`) }))
    .filter(({ status }) => status.includes(`PPid:\t${process.pid}\n`));
}

/** Empty for a process that ended meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

/** The largest resident size and the most processor time that any child process had, read from the kernel. */
function watchChild() {
  let peakBytes = 0;
  let processorMs = 0;
  const look = () => {
    for (const { pid, status } of childrenNow()) {
      peakBytes = Math.max(peakBytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
      // After the name in brackets, which may hold spaces: user and system time in hundredths of a second.
      const times = readIfThere(`/proc/${pid}/stat`).split(') ').at(-1)?.split(' ') ?? [];
      processorMs = Math.max(processorMs, (Number(times[11] ?? 0) + Number(times[12] ?? 0)) * 10);
    }
  };
  const timer = setInterval(look, 25);
  return {
    stop() {
      clearInterval(timer);
      return { peakBytes, processorMs };
    },
  };
}
