import { crc32, deflateRawSync, deflateSync } from 'node:zlib';

export type ZipEntry = {
  name: string;
  content: string | Buffer;
  store?: boolean;
  flags?: number;
  claimedSize?: number;
  localHeaderOf?: string;
  extra?: Buffer;
};

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
export const CONTENT_TYPES =
  '<?xml version="1.0" encoding="UTF-8"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>';
const RELATIONS =
  '<?xml version="1.0" encoding="UTF-8"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>';
const STYLES = `<?xml version="1.0"?><w:styles xmlns:w="${WORD}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style><w:style w:type="paragraph" w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style></w:styles>`;

export function docxOf(
  body: string,
  options: { prolog?: string; others?: ZipEntry[]; zip64?: boolean; documentEntry?: Partial<ZipEntry> } = {},
): Buffer {
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
export function pdfOf(
  pages: PdfPage[],
  options: { trailer?: string; extraObjects?: string[]; padding?: Buffer } = {},
): Buffer {
  const objects: (string | Buffer)[] = [];
  const firstPage = 4;
  const kids = pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ');
  objects.push(
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  );
  for (const [index, page] of pages.entries()) {
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + 2 * index + 1} 0 R >>`,
    );
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
  return Buffer.concat([
    Buffer.from(`<< /Length ${data.length}${entries} >>\nstream\n`),
    data,
    Buffer.from('\nendstream'),
  ]);
}

function assemble(objects: (string | Buffer)[], trailer: string): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n', 'latin1')];
  let at = parts[0]?.length ?? 0;
  const offsets: number[] = [];
  for (const [index, object] of objects.entries()) {
    const bytes = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      Buffer.from(object),
      Buffer.from('\nendobj\n'),
    ]);
    offsets.push(at);
    parts.push(bytes);
    at += bytes.length;
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** Lines of text as a page draws them. */
export function pdfText(lines: string[]): string {
  const drawn = lines.map((line) => `(${line.replace(/[()\\]/g, '\\$&')}) Tj T*`).join('\n');
  return `BT /F1 11 Tf 14 TL 50 740 Td\n${drawn}\nET`;
}
