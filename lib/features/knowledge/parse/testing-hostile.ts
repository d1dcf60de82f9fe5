import { CONTENT_TYPES, docxOf, paragraph, pdfOf, pdfText, zipOf } from './testing-files.ts';

export type TestFile = { what: string; name: string; bytes: () => Buffer; expected: RegExp | 'COMPLETED' };

const NOBODY_CAN_READ =
  '/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <' +
  'ab'.repeat(32) +
  '> /U <' +
  'cd'.repeat(32) +
  '> >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';
const word = (xml: string) => Buffer.from(xml);

/** Files made to hurt, with the reason that a person must be given. */
export const HOSTILE_FILES: TestFile[] = [
  {
    what: 'a DOCX of 3.3 million empty paragraphs',
    name: 'empty.docx',
    bytes: () => docxOf('<w:p/>'.repeat(3_300_000)),
    expected: /more than 1,000,000 elements|unpacks to more than/,
  },
  {
    what: 'a DOCX of 300,000 short paragraphs',
    name: 'short.docx',
    bytes: () => docxOf('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(300_000)),
    expected: /unpacks to more than/,
  },
  {
    what: 'a DOCX nested 100,000 deep',
    name: 'deep.docx',
    bytes: () => docxOf('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)),
    expected: /nested more than 200 deep/,
  },
  {
    what: 'a DOCX with tables in tables',
    name: 'tables.docx',
    bytes: () =>
      docxOf('<w:tbl><w:tr><w:tc>'.repeat(5_000) + paragraph('x') + '</w:tc></w:tr></w:tbl>'.repeat(5_000)),
    expected: /nested more than 200 deep/,
  },
  {
    what: 'a DOCX with one endless run',
    name: 'run.docx',
    bytes: () => docxOf(paragraph('word '.repeat(12_000_000))),
    expected: /a paragraph of it is too long|unpacks to more than/,
  },
  {
    what: 'a DOCX with a document type',
    name: 'dtd.docx',
    bytes: () =>
      docxOf(paragraph('&lol9;'), {
        prolog: '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol9 "&lol;&lol;&lol;">]>',
      }),
    expected: /declares a document type/,
  },
  {
    what: 'a DOCX with an external entity',
    name: 'xxe.docx',
    bytes: () =>
      docxOf(paragraph('&x;'), { prolog: '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' }),
    expected: /declares a document type/,
  },
  {
    what: 'a DOCX in zip64',
    name: 'zip64.docx',
    bytes: () => docxOf(paragraph('hello'), { zip64: true }),
    expected: /zip64/,
  },
  {
    what: 'a DOCX with overlapping parts',
    name: 'overlap.docx',
    bytes: () =>
      docxOf(paragraph('hello'), {
        others: [{ name: 'word/second.xml', content: CONTENT_TYPES, localHeaderOf: '[Content_Types].xml' }],
      }),
    expected: /its parts overlap/,
  },
  {
    what: 'a DOCX with 6,000 parts',
    name: 'parts.docx',
    bytes: () =>
      docxOf(paragraph('hello'), {
        others: Array.from({ length: 6_000 }, (_, index) => ({
          name: `word/p${index}.xml`,
          content: '<a/>',
        })),
      }),
    expected: /more than 5,000 parts/,
  },
  {
    what: 'an encrypted DOCX',
    name: 'secret.docx',
    bytes: () => docxOf(paragraph('hello'), { documentEntry: { flags: 1 } }),
    expected: /protected by a password/,
  },
  {
    what: 'a DOCX whose directory lies about sizes',
    name: 'lies.docx',
    bytes: () => docxOf('<w:p/>'.repeat(200_000), { documentEntry: { claimedSize: 100 } }),
    expected: /damaged/,
  },
  {
    what: 'a DOCX that unpacks to 300 MB',
    name: 'bomb.docx',
    bytes: () => docxOf(`<!--${'x'.repeat(7_000_000)}-->`.repeat(43)),
    expected: /unpacks to more than/,
  },
  {
    what: 'a DOCX cut in the middle',
    name: 'cut.docx',
    bytes: () => docxOf(paragraph('hello')).subarray(0, 900),
    expected: /damaged/,
  },
  {
    what: 'a zip that is no Word document',
    name: 'other.docx',
    bytes: () => zipOf([{ name: 'a.txt', content: 'hello' }]),
    expected: /no Word document/,
  },
  {
    what: 'text called DOCX',
    name: 'text.docx',
    bytes: () => word('just some text, no zip at all'),
    expected: /not a Word document/,
  },
  {
    what: 'broken XML in a DOCX',
    name: 'broken.docx',
    bytes: () => docxOf('<w:p><w:r></w:p></w:r>'),
    expected: /XML is broken/,
  },
  {
    what: 'a PDF that inflates to 344 MB',
    name: 'inflate.pdf',
    bytes: () => pdfOf([{ content: ' '.repeat(344_000_000), filters: 2 }]),
    expected: /scan without text|memory|too long/,
  },
  {
    what: 'a PDF whose text inflates',
    name: 'inflated-text.pdf',
    bytes: () =>
      pdfOf([
        {
          content: pdfText(Array.from({ length: 900_000 }, () => 'the same line over and over again')),
          filters: 2,
        },
      ]),
    expected: /COMPLETED|too many pieces|too long|memory|characters of text/,
  },
  {
    what: 'a PDF of 50,000 pages',
    name: 'pages.pdf',
    bytes: () => pdfOf(Array.from({ length: 50_000 }, () => ({ content: pdfText(['page']) }))),
    expected: /50,000 pages; at most 20,000/,
  },
  {
    what: 'a PDF of 19,000 pages',
    name: 'many.pdf',
    bytes: () =>
      pdfOf(Array.from({ length: 19_000 }, (_, index) => ({ content: pdfText([`This is page ${index}.`]) }))),
    expected: /COMPLETED|took too long/,
  },
  {
    what: 'an encrypted PDF',
    name: 'secret.pdf',
    bytes: () => pdfOf([{ content: pdfText(['hello']) }], { trailer: NOBODY_CAN_READ }),
    expected: /protected by a password/,
  },
  {
    what: 'a scan without text',
    name: 'scan.pdf',
    bytes: () => pdfOf([{ content: '0 0 612 792 re f' }, { content: '' }]),
    expected: /scan without text; run OCR/,
  },
  {
    what: 'a PDF whose pages are their own parents',
    name: 'loop.pdf',
    bytes: () =>
      Buffer.from(
        pdfOf([{ content: pdfText(['hello']) }])
          .toString('latin1')
          .replace('/Kids [4 0 R]', '/Kids [2 0 R]'),
        'latin1',
      ),
    expected: /damaged|scan without text/,
  },
  {
    what: 'a PDF cut in the middle',
    name: 'cut.pdf',
    bytes: () => pdfOf([{ content: pdfText(['hello']) }]).subarray(0, 200),
    expected: /damaged|scan without text/,
  },
  {
    what: 'junk called PDF',
    name: 'junk.pdf',
    bytes: () => Buffer.alloc(100_000, 'junk '),
    expected: /not a PDF/,
  },
  {
    what: 'junk behind a PDF header',
    name: 'header.pdf',
    bytes: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 0xa5)]),
    expected: /damaged/,
  },
  {
    what: 'JSON nested 100,000 deep',
    name: 'deep.json',
    bytes: () => Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)),
    expected: /nested more than 100 levels/,
  },
  {
    what: 'JSON objects nested 100,000 deep',
    name: 'deep2.json',
    bytes: () => Buffer.from('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)),
    expected: /nested more than 100 levels/,
  },
  {
    what: 'JSON of 20 million empty lists',
    name: 'lists.json',
    bytes: () => Buffer.from(`[${'[],'.repeat(15_000_000)}1]`),
    expected: /COMPLETED/,
  },
  {
    what: 'JSON that breaks off',
    name: 'cut.json',
    bytes: () => Buffer.from('{"a": [1, 2'),
    expected: /not valid JSON: the end of the file in line 1/,
  },
  {
    what: 'JSON with a comma too many',
    name: 'comma.json',
    bytes: () => Buffer.from('{"a": 1,}'),
    expected: /not valid JSON: a comma before the end/,
  },
  {
    what: 'a CSV of 100,000 columns',
    name: 'wide.csv',
    bytes: () => Buffer.from(`${'a,'.repeat(100_000)}\n${'1,'.repeat(100_000)}\n`),
    expected: /columns; at most 1,000/,
  },
  {
    what: 'a CSV of 25 million rows',
    name: 'rows.csv',
    bytes: () => Buffer.from('1\n'.repeat(25_000_000)),
    expected: /more than 2,000,000 rows/,
  },
  {
    what: 'a CSV with a quote that never closes',
    name: 'quote.csv',
    bytes: () => Buffer.from(`name,price\n"${'a,b\n'.repeat(3_000_000)}`),
    expected: /never closed/,
  },
  {
    what: 'NUL bytes called text',
    name: 'nul.txt',
    bytes: () => Buffer.from('hello\u0000world, this is not text'),
    expected: /not text/,
  },
  {
    what: '50 MB of zeros called text',
    name: 'zeros.txt',
    bytes: () => Buffer.alloc(50 * 1024 * 1024),
    expected: /not text/,
  },
  {
    what: 'random bytes called text',
    name: 'random.txt',
    bytes: () =>
      Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919 + (index >> 3)) % 256)),
    expected: /not text/,
  },
  {
    what: 'a PDF called text',
    name: 'pdf.txt',
    bytes: () => pdfOf([{ content: pdfText(['hello']) }]),
    expected: /The content is a PDF/,
  },
  {
    what: 'a picture called Markdown',
    name: 'picture.md',
    bytes: () =>
      Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(500)]),
    expected: /PNG image/,
  },
  {
    what: 'blank text',
    name: 'blank.txt',
    bytes: () => Buffer.from(' \n\t\n '.repeat(1_000)),
    expected: /holds no text/,
  },
  {
    what: 'one line of 50 MB',
    name: 'line.txt',
    bytes: () => Buffer.alloc(50 * 1024 * 1024, 'x'),
    expected: /COMPLETED/,
  },
];
