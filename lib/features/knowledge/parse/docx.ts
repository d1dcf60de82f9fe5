import mammoth from 'mammoth';
import { type Block, CELL_BORDER } from '../split/chunk.ts';
import { signatureOf } from './text-encoding.ts';
import { type ParseLimits, UnreadableDocument } from './unreadable.ts';
import { createXmlScanner, type XmlBlock } from './xml-scan.ts';
import { openZip, type ZipParts } from './zip.ts';

const BODY = new Set(['document', 'body', 'tbl', 'sdt', 'sdtContent']);
const NOTES = new Set(['footnotes', 'footnote', 'endnotes', 'endnote', 'tbl']);
/** Parts that mammoth reads anew for every batch; larger ones are left out, and headings are then read as text. */
const MAX_SIDE_PART_BYTES = 2 * 1024 * 1024;
const MAX_SIDE_ELEMENTS = 100_000;
/** What mammoth gets at once. Its trees take about 40 times the size of the XML. */
const BATCH_CHARACTERS = 512 * 1024;

type Emit = (block: Block) => void | Promise<void>;

/** The text of a Word document with its headings. The XML reaches mammoth in parts that were counted and checked before. */
export async function readDocx(bytes: Buffer, limits: ParseLimits, emit: Emit): Promise<void> {
  refuseOtherContent(bytes);
  const zip = await openZip(bytes, limits);
  const main = await mainPart(zip);
  const folder = main.slice(0, main.lastIndexOf('/') + 1);
  const side = {
    styles: await sidePart(zip, `${folder}styles.xml`),
    numbering: await sidePart(zip, `${folder}numbering.xml`),
  };
  const maxElements = Math.round(Math.max(1_000_000, Math.min(10_000_000, bytes.length / 5)));
  await readPart(zip, main, { containers: BODY, maxElements, side, emit });
  for (const notes of ['footnotes.xml', 'endnotes.xml']) {
    if (zip.has(folder + notes))
      await readPart(zip, folder + notes, { containers: NOTES, maxElements, side, emit });
  }
}

function refuseOtherContent(bytes: Buffer): void {
  const signature = signatureOf(bytes);
  if (signature === 'an old Office document') {
    throw new UnreadableDocument(
      'This is an old .doc file, or a document protected by a password. Save it as .docx without a password and upload that.',
    );
  }
  if (signature !== 'a zip archive or an Office document') {
    throw new UnreadableDocument(
      `The content is not a Word document${signature ? ` but ${signature}` : ''}. Save it as .docx, or give the file its right ending.`,
    );
  }
}

async function mainPart(zip: ZipParts): Promise<string> {
  const relations = (await sidePart(zip, '_rels/.rels')) ?? '';
  for (const [tag] of relations.matchAll(/<(?:\w+:)?Relationship\s[^<>]*>/gu)) {
    const target = /\sTarget=["']\/?([^"']+)["']/u.exec(tag)?.[1];
    if (target && /\sType=["'][^"']*\/officeDocument["']/u.test(tag) && zip.has(target)) return target;
  }
  if (zip.has('word/document.xml')) return 'word/document.xml';
  throw new UnreadableDocument(
    'The content is a zip archive, but no Word document. Save the document as .docx and upload that.',
  );
}

/** A small part as text, checked like the main one; undefined where it is missing or too large to matter. */
async function sidePart(zip: ZipParts, name: string): Promise<string | undefined> {
  if (!zip.has(name) || zip.sizeOf(name) > MAX_SIDE_PART_BYTES) return undefined;
  const scanner = createXmlScanner({
    containers: new Set(),
    maxElements: MAX_SIDE_ELEMENTS,
    onBlock: () => {},
  });
  let xml = '';
  for await (const piece of decoded(zip.read(name))) {
    xml += piece;
    await scanner.push(piece);
  }
  scanner.finish();
  return xml;
}

/** Text in pieces of about this size: the scanner looks at an unfinished element anew with every piece. */
const PIECE_BYTES = 512 * 1024;

async function* decoded(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  const decode = (parts: Buffer[], stream: boolean): string => {
    const piece = Buffer.concat(parts);
    decoder ??= new TextDecoder(piece[0] === 0xff ? 'utf-16le' : piece[0] === 0xfe ? 'utf-16be' : 'utf-8', {
      fatal: true,
    });
    try {
      return decoder.decode(piece, { stream });
    } catch {
      throw new UnreadableDocument(
        'This Word document is damaged: its text is not valid Unicode. Open it in Word, save it as .docx again, and upload that.',
      );
    }
  };
  let waiting: Buffer[] = [];
  let sizeBytes = 0;
  for await (const part of bytes) {
    waiting.push(part);
    sizeBytes += part.length;
    if (sizeBytes < PIECE_BYTES) continue;
    yield decode(waiting, true);
    waiting = [];
    sizeBytes = 0;
  }
  yield decode(waiting, false);
}

type PartOptions = { containers: ReadonlySet<string>; maxElements: number; side: SideParts; emit: Emit };
type SideParts = { styles: string | undefined; numbering: string | undefined };

async function readPart(zip: ZipParts, name: string, options: PartOptions): Promise<void> {
  let batch: XmlBlock[] = [];
  let length = 0;
  const convert = async () => {
    if (batch.length > 0)
      await convertBatch({ batch, rootTag: scanner.rootTag() }, options.side, options.emit);
    batch = [];
    length = 0;
  };
  const scanner = createXmlScanner({
    containers: options.containers,
    maxElements: options.maxElements,
    onBlock(block) {
      batch.push(block);
      length += block.xml.length;
      return length > BATCH_CHARACTERS ? convert() : undefined;
    },
  });
  for await (const piece of decoded(zip.read(name))) await scanner.push(piece);
  scanner.finish();
  await convert();
}

async function convertBatch(
  given: { batch: XmlBlock[]; rootTag: string },
  side: SideParts,
  emit: Emit,
): Promise<void> {
  const parts: Record<string, string | undefined> = {
    'word/document.xml': wrapped(given.batch, given.rootTag),
    'word/styles.xml': side.styles,
    'word/numbering.xml': side.numbering,
  };
  for (const element of await mammothTree(parts)) for (const block of blocksOf(element)) await emit(block);
}

/** The blocks as a document of their own, with the prefix and the namespaces of the one they came from. */
function wrapped(batch: XmlBlock[], rootTag: string): string {
  const [, prefix = '', attributes = ''] = /^<((?:[^\s<>/:]+:)?)[^\s<>/]+([^]*)>$/u.exec(rootTag) ?? [];
  let xml = '';
  let table: number | undefined;
  for (const block of batch) {
    if (block.table !== table)
      xml +=
        (table === undefined ? '' : `</${prefix}tbl>`) + (block.table === undefined ? '' : `<${prefix}tbl>`);
    table = block.table;
    xml += block.xml;
  }
  if (table !== undefined) xml += `</${prefix}tbl>`;
  return `<${prefix}document${attributes}><${prefix}body>${xml}</${prefix}body></${prefix}document>`;
}

type Element = {
  type: string;
  value?: string;
  children?: Element[];
  styleId?: string | null;
  styleName?: string | null;
  numbering?: { level: string } | null;
};

/** mammoth's own tree of the document, taken before it becomes HTML. */
async function mammothTree(parts: Record<string, string | undefined>): Promise<Element[]> {
  const file = {
    exists: (name: string) => parts[name] !== undefined,
    read: (name: string) => Promise.resolve(parts[name] ?? ''),
  };
  let children: Element[] = [];
  const transformDocument = (document: Element) => {
    children = document.children ?? [];
    return { ...document, children: [] };
  };
  // `file` is how mammoth hands an opened zip to itself; its types only know buffers and paths.
  const input = { file } as unknown as Parameters<typeof mammoth.convertToHtml>[0];
  try {
    await mammoth.convertToHtml(input, {
      transformDocument,
      includeDefaultStyleMap: false,
      externalFileAccess: false,
    });
  } catch {
    throw new UnreadableDocument(
      'This Word document cannot be read: its XML is not as Word writes it. Open it in Word, save it as .docx again, and upload that.',
    );
  }
  return children;
}

function* blocksOf(element: Element): Generator<Block> {
  if (element.type === 'table') {
    const rows = (element.children ?? []).map((row) =>
      (row.children ?? []).map((cell) => oneLine(textOf(cell))).join(CELL_BORDER),
    );
    const text = rows.filter((row) => row.replaceAll(CELL_BORDER, '').trim() !== '').join('\n');
    if (text !== '') yield { kind: 'prose', text };
    return;
  }
  const text = textOf(element).trim();
  if (text === '') return;
  const level = headingLevel(element);
  if (level !== undefined) yield { kind: 'heading', level, text: oneLine(text) };
  else yield { kind: 'prose', text: element.numbering ? `- ${text}` : text };
}

function headingLevel(element: Element): number | undefined {
  const style = `${element.styleName ?? ''}`.toLowerCase();
  if (style === 'title') return 1;
  const level = /^heading (\d)$/u.exec(style)?.[1] ?? /^Heading(\d)$/u.exec(element.styleId ?? '')?.[1];
  return level === undefined ? undefined : Number(level);
}

function textOf(element: Element): string {
  if (element.type === 'text') return element.value ?? '';
  if (element.type === 'tab') return '\t';
  if (element.type === 'break') return '\n';
  const inner = (element.children ?? []).map(textOf).join('');
  return element.type === 'paragraph' ? `${inner}\n` : inner;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
