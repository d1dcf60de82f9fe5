import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export type ZipEntry = { name: string; content: string | Buffer; store?: boolean; flags?: number; claimedSize?: number; localHeaderOf?: string; extra?: Buffer };

/** A zip archive, with whatever lies in its directory a test asks for. */
export function zipOf(entries: ZipEntry[], options: { zip64?: boolean } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  const offsets = new Map<string, number>();
  let at = 0;
  for (const entry of entries) {
    const content = Buffer.isBuffer(entry.content) ? entry.content : Buffer.from(entry.content);
    const data = entry.store ? content : deflateRawSync(content);
    const name = Buffer.from(entry.name);
    const extra = entry.extra ?? Buffer.alloc(0);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(entry.flags ?? 0, 2);
    fields.writeUInt16LE(entry.store ? 0 : 8, 4);
    fields.writeUInt32LE(crc32(content), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(entry.claimedSize ?? content.length, 18);
    fields.writeUInt16LE(name.length, 22);
    fields.writeUInt16LE(extra.length, 24);
    const shared = entry.localHeaderOf === undefined ? undefined : offsets.get(entry.localHeaderOf);
    if (shared === undefined) {
      offsets.set(entry.name, at);
      const local = [Buffer.from('PK\u0003\u0004', 'latin1'), fields, name, extra, data];
      parts.push(...local);
      directory.push(directoryEntry(fields, name, extra, at));
      at += local.reduce((sum, part) => sum + part.length, 0);
    } else directory.push(directoryEntry(fields, name, extra, shared));
  }
  const size = directory.reduce((sum, part) => sum + part.length, 0);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006', 0, 'latin1');
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(at, 16);
  const zip64 = options.zip64 ? zip64End(entries.length, size, at) : [];
  return Buffer.concat([...parts, ...directory, ...zip64, end]);
}

function directoryEntry(fields: Buffer, name: Buffer, extra: Buffer, offset: number): Buffer {
  const tail = Buffer.alloc(14);
  tail.writeUInt32LE(offset, 10);
  return Buffer.concat([Buffer.from('PK\u0001\u0002\u0014\u0000', 'latin1'), fields, tail, name, extra]);
}

function zip64End(count: number, size: number, offset: number): Buffer[] {
  const record = Buffer.alloc(56);
  record.write('PK\u0006\u0006', 0, 'latin1');
  record.writeBigUInt64LE(44n, 4);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(size), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\u0006\u0007', 0, 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator];
}

const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
const CONTENT_TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
const STYLES = `<?xml version="1.0"?><w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>`;

export function docxOf(body: string, options: { prolog?: string; others?: ZipEntry[]; zip64?: boolean; documentEntry?: Partial<ZipEntry> } = {}): Buffer {
  const document = `<?xml version="1.0" encoding="UTF-8"?>${options.prolog ?? ''}<w:document xmlns:w="${WORD}"><w:body>${body}<w:sectPr/></w:body></w:document>`;
  const entries: ZipEntry[] = [
    { name: '[Content_Types].xml', content: CONTENT_TYPES },
    { name: '_rels/.rels', content: RELATIONS },
    { name: 'word/styles.xml', content: STYLES },
    { name: 'word/document.xml', content: document, ...options.documentEntry },
    ...(options.others ?? []),
  ];
  return zipOf(entries, options.zip64 ? { zip64: true } : {});
}

export function paragraph(text: string, style?: string): string {
  const properties = style ? `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>` : '';
  return `<w:p>${properties}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export type PdfPage = { content: string; filters?: number };

/** A PDF with one content stream per page; `filters` deflates it so many times over. */
export function pdfOf(pages: PdfPage[], options: { trailer?: string; extraObjects?: string[]; padding?: Buffer } = {}): Buffer {
  const objects: (string | Buffer)[] = [];
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  objects.push('<< /Type /Catalog /Pages 2 0 R >>', `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>');
  for (const [index, page] of pages.entries()) {
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`);
    let data: Buffer = Buffer.from(page.content, 'latin1');
    for (let round = 0; round < (page.filters ?? 0); round++) data = deflateSync(data, { level: 9 });
    const filter = page.filters ? ` /Filter [${'/FlateDecode '.repeat(page.filters)}]` : '';
    objects.push(streamObject(data, filter));
  }
  if (options.padding) objects.push(streamObject(options.padding, ' /Type /Padding'));
  objects.push(...(options.extraObjects ?? []));
  return assemble(objects, options.trailer ?? '');
}

function streamObject(data: Buffer, entries: string): Buffer {
  return Buffer.concat([Buffer.from(`<< /Length ${data.length}${entries} >>\nstream\n`), data, Buffer.from('\nendstream')]);
}

function assemble(objects: (string | Buffer)[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    const bytes = Buffer.concat([Buffer.from(`${index + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')]);
    offsets.push(at);
    parts.push(bytes);
    at += bytes.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`));
  return Buffer.concat(parts);
}

/** Lines of text as a page draws them. */
export function pdfText(lines: string[]): string {
  const drawn = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
  return `BT /F1 11 Tf 14 TL 50 740 Td\n${drawn}\nET`;
}

export type TestFile = { what: string; name: string; bytes: () => Buffer; expected: RegExp | 'COMPLETED' };

const NOBODY_CAN_READ = '/Encrypt << /Filter /Standard /V 2 /R 3 /Length 128 /P -3904 /O <' + 'ab'.repeat(32) + '> /U <' + 'cd'.repeat(32) + '> >> /ID [<00112233445566778899aabbccddeeff> <00112233445566778899aabbccddeeff>]';
const word = (xml: string) => Buffer.from(xml);

/** Files made to hurt, with the reason that a person must be given. */
export const HOSTILE_FILES: TestFile[] = [
  { what: 'a DOCX of 3.3 million empty paragraphs', name: 'empty.docx', bytes: () => docxOf('<w:p/>'.repeat(3_300_000)), expected: /more than 1,000,000 elements|unpacks to more than/ },
  { what: 'a DOCX of 300,000 short paragraphs', name: 'short.docx', bytes: () => docxOf('<w:p><w:r><w:t>a</w:t></w:r></w:p>'.repeat(300_000)), expected: /unpacks to more than/ },
  { what: 'a DOCX nested 100,000 deep', name: 'deep.docx', bytes: () => docxOf('<w:p>'.repeat(100_000) + '</w:p>'.repeat(100_000)), expected: /nested more than 200 deep/ },
  { what: 'a DOCX with tables in tables', name: 'tables.docx', bytes: () => docxOf('<w:tbl><w:tr><w:tc>'.repeat(5_000) + paragraph('x') + '</w:tc></w:tr></w:tbl>'.repeat(5_000)), expected: /nested more than 200 deep/ },
  { what: 'a DOCX with one endless run', name: 'run.docx', bytes: () => docxOf(paragraph('word '.repeat(12_000_000))), expected: /a paragraph of it is too long|unpacks to more than/ },
  { what: 'a DOCX with a document type', name: 'dtd.docx', bytes: () => docxOf(paragraph('&lol9;'), { prolog: '<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol9 "&lol;&lol;&lol;">]>' }), expected: /declares a document type/ },
  { what: 'a DOCX with an external entity', name: 'xxe.docx', bytes: () => docxOf(paragraph('&x;'), { prolog: '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>' }), expected: /declares a document type/ },
  { what: 'a DOCX in zip64', name: 'zip64.docx', bytes: () => docxOf(paragraph('hello'), { zip64: true }), expected: /zip64/ },
  { what: 'a DOCX with overlapping parts', name: 'overlap.docx', bytes: () => docxOf(paragraph('hello'), { others: [{ name: 'word/second.xml', content: CONTENT_TYPES, localHeaderOf: '[Content_Types].xml' }] }), expected: /its parts overlap/ },
  { what: 'a DOCX with 6,000 parts', name: 'parts.docx', bytes: () => docxOf(paragraph('hello'), { others: Array.from({ length: 6_000 }, (_, index) => ({ name: `word/p${index}.xml`, content: '<a/>' })) }), expected: /more than 5,000 parts/ },
  { what: 'an encrypted DOCX', name: 'secret.docx', bytes: () => docxOf(paragraph('hello'), { documentEntry: { flags: 1 } }), expected: /protected by a password/ },
  { what: 'a DOCX whose directory lies about sizes', name: 'lies.docx', bytes: () => docxOf('<w:p/>'.repeat(200_000), { documentEntry: { claimedSize: 100 } }), expected: /damaged/ },
  { what: 'a DOCX that unpacks to 300 MB', name: 'bomb.docx', bytes: () => docxOf(`<!--${'x'.repeat(7_000_000)}-->`.repeat(43)), expected: /unpacks to more than/ },
  { what: 'a DOCX cut in the middle', name: 'cut.docx', bytes: () => docxOf(paragraph('hello')).subarray(0, 900), expected: /damaged/ },
  { what: 'a zip that is no Word document', name: 'other.docx', bytes: () => zipOf([{ name: 'a.txt', content: 'hello' }]), expected: /no Word document/ },
  { what: 'text called DOCX', name: 'text.docx', bytes: () => word('just some text, no zip at all'), expected: /not a Word document/ },
  { what: 'broken XML in a DOCX', name: 'broken.docx', bytes: () => docxOf('<w:p><w:r></w:p></w:r>'), expected: /XML is broken/ },
  { what: 'a PDF that inflates to 344 MB', name: 'inflate.pdf', bytes: () => pdfOf([{ content: ' '.repeat(344_000_000), filters: 2 }]), expected: /scan without text|memory|too long/ },
  { what: 'a PDF whose text inflates', name: 'inflated-text.pdf', bytes: () => pdfOf([{ content: pdfText(Array.from({ length: 900_000 }, () => 'the same line over and over again')), filters: 2 }]), expected: /COMPLETED|too many pieces|too long|memory|characters of text/ },
  { what: 'a PDF of 50,000 pages', name: 'pages.pdf', bytes: () => pdfOf(Array.from({ length: 50_000 }, () => ({ content: pdfText(['page']) }))), expected: /50,000 pages; at most 20,000/ },
  { what: 'a PDF of 19,000 pages', name: 'many.pdf', bytes: () => pdfOf(Array.from({ length: 19_000 }, (_, index) => ({ content: pdfText([`This is page ${index}.`]) }))), expected: /COMPLETED|took too long/ },
  { what: 'an encrypted PDF', name: 'secret.pdf', bytes: () => pdfOf([{ content: pdfText(['hello']) }], { trailer: NOBODY_CAN_READ }), expected: /protected by a password/ },
  { what: 'a scan without text', name: 'scan.pdf', bytes: () => pdfOf([{ content: '0 0 612 792 re f' }, { content: '' }]), expected: /scan without text; run OCR/ },
  { what: 'a PDF whose pages are their own parents', name: 'loop.pdf', bytes: () => Buffer.from(pdfOf([{ content: pdfText(['hello']) }]).toString('latin1').replace('/Kids [4 0 R]', '/Kids [2 0 R]'), 'latin1'), expected: /damaged|scan without text/ },
  { what: 'a PDF cut in the middle', name: 'cut.pdf', bytes: () => pdfOf([{ content: pdfText(['hello']) }]).subarray(0, 200), expected: /damaged|scan without text/ },
  { what: 'junk called PDF', name: 'junk.pdf', bytes: () => Buffer.alloc(100_000, 'junk '), expected: /not a PDF/ },
  { what: 'junk behind a PDF header', name: 'header.pdf', bytes: () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(200_000, 0xa5)]), expected: /damaged/ },
  { what: 'JSON nested 100,000 deep', name: 'deep.json', bytes: () => Buffer.from('['.repeat(100_000) + ']'.repeat(100_000)), expected: /nested more than 100 levels/ },
  { what: 'JSON objects nested 100,000 deep', name: 'deep2.json', bytes: () => Buffer.from('{"a":'.repeat(100_000) + '1' + '}'.repeat(100_000)), expected: /nested more than 100 levels/ },
  { what: 'JSON of 20 million empty lists', name: 'lists.json', bytes: () => Buffer.from(`[${'[],'.repeat(15_000_000)}1]`), expected: /COMPLETED/ },
  { what: 'JSON that breaks off', name: 'cut.json', bytes: () => Buffer.from('{"a": [1, 2'), expected: /not valid JSON: the end of the file in line 1/ },
  { what: 'JSON with a comma too many', name: 'comma.json', bytes: () => Buffer.from('{"a": 1,}'), expected: /not valid JSON: a comma before the end/ },
  { what: 'a CSV of 100,000 columns', name: 'wide.csv', bytes: () => Buffer.from(`${'a,'.repeat(100_000)}\n${'1,'.repeat(100_000)}\n`), expected: /columns; at most 1,000/ },
  { what: 'a CSV of 25 million rows', name: 'rows.csv', bytes: () => Buffer.from('1\n'.repeat(25_000_000)), expected: /more than 2,000,000 rows/ },
  { what: 'a CSV with a quote that never closes', name: 'quote.csv', bytes: () => Buffer.from(`name,price\n"${'a,b\n'.repeat(3_000_000)}`), expected: /never closed/ },
  { what: 'NUL bytes called text', name: 'nul.txt', bytes: () => Buffer.from('hello\u0000world, this is not text'), expected: /not text/ },
  { what: '50 MB of zeros called text', name: 'zeros.txt', bytes: () => Buffer.alloc(50 * 1024 * 1024), expected: /not text/ },
  { what: 'random bytes called text', name: 'random.txt', bytes: () => Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919 + (index >> 3)) % 256)), expected: /not text/ },
  { what: 'a PDF called text', name: 'pdf.txt', bytes: () => pdfOf([{ content: pdfText(['hello']) }]), expected: /The content is a PDF/ },
  { what: 'a picture called Markdown', name: 'picture.md', bytes: () => Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), Buffer.alloc(500)]), expected: /PNG image/ },
  { what: 'blank text', name: 'blank.txt', bytes: () => Buffer.from(' \n\t\n '.repeat(1_000)), expected: /holds no text/ },
  { what: 'one line of 50 MB', name: 'line.txt', bytes: () => Buffer.alloc(50 * 1024 * 1024, 'x'), expected: /COMPLETED/ },
];
