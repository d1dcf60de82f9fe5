import { getDocumentProxy } from 'unpdf';
import type { Block } from '../split/chunk.ts';
import { UnreadableDocument } from './unreadable.ts';

const MAX_PAGES = 20_000;
const VERBOSITY_ERRORS = 0;
/** pdf.js keeps some 60 kB of every page it has read, fonts included, until it is told to let go. */
const PAGES_KEPT = 400;
/** A page whose text is drawn in more pieces than this is made to cost time, not to be read. */
const MAX_ITEMS_PER_PAGE = 60_000;

/** The text of a PDF, page by page. Pages without text are skipped; a file of nothing else is most likely a scan. */
export async function readPdf(bytes: Buffer, emit: (block: Block) => void | Promise<void>): Promise<void> {
  // Readers allow some bytes of junk before the header, as the specification's implementation notes do.
  if (bytes.subarray(0, 1024).indexOf('%PDF-') === -1) {
    throw new UnreadableDocument(
      'The content is not a PDF, although the name says so. Export it as PDF again, or give the file its right ending.',
    );
  }
  overstatePageCount(bytes);
  const pdf = await openPdf(bytes);
  if (pdf.numPages > MAX_PAGES) {
    throw new UnreadableDocument(
      `This PDF has ${pdf.numPages.toLocaleString('en-US')} pages; at most ${MAX_PAGES.toLocaleString('en-US')} can be read. Split it into parts.`,
    );
  }
  let sawText = false;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const text = await pageText(page);
    page.cleanup();
    if (number % PAGES_KEPT === 0) await pdf.cleanup();
    if (text === '') continue;
    sawText = true;
    for (const paragraph of text.split(/\n{2,}/u))
      await emit({ kind: 'prose', text: paragraph, page: number });
  }
  if (!sawText) throw new UnreadableDocument('This PDF is a scan without text; run OCR on it first.');
}

const MANY_PAGES = 1_000;

/**
 * Makes pdf.js list the pages once. It finds page n by going through the list from its start: 10,000 pages in one list,
 * as simple writers make it, take 30 s of nothing else. When the last page by the count is not there, it distrusts the
 * count, goes through the list, and keeps what it found. So the largest count becomes 99…9, in place; should that not be
 * the count of the pages, pdf.js shows the same, only later.
 */
function overstatePageCount(bytes: Buffer): void {
  let largest = 0;
  for (const { digits } of countsIn(bytes)) largest = Math.max(largest, Number(digits));
  if (largest <= MANY_PAGES) return;
  for (const { at, digits } of countsIn(bytes))
    if (Number(digits) === largest) bytes.write('9'.repeat(digits.length), at, 'latin1');
}

const COUNT = '/Count ';

function* countsIn(bytes: Buffer): Generator<{ at: number; digits: string }> {
  for (let found = bytes.indexOf(COUNT); found !== -1; found = bytes.indexOf(COUNT, found + 1)) {
    const at = found + COUNT.length;
    const digits = /^\d{4,9}(?!\d)/.exec(bytes.toString('latin1', at, at + 10))?.[0];
    if (digits) yield { at, digits };
  }
}

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Pdf['getPage']>>;

async function openPdf(bytes: Buffer): Promise<Pdf> {
  try {
    const options = {
      isEvalSupported: false,
      stopAtErrors: false,
      verbosity: VERBOSITY_ERRORS,
      useSystemFonts: false,
      enableXfa: false,
    };
    return await getDocumentProxy(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength), options);
  } catch (error) {
    if (error instanceof Error && error.name === 'PasswordException') {
      throw new UnreadableDocument(
        'This PDF is protected by a password. Remove the protection and upload it again.',
      );
    }
    throw new UnreadableDocument(
      'This PDF is damaged and cannot be read. Open it in a viewer, export it as PDF again, and upload that.',
    );
  }
}

/** Lines as they were set: a larger step down the page is a paragraph, a hyphen at a line's end is a joint. */
async function pageText(page: Page): Promise<string> {
  const reader = page.streamTextContent({ disableNormalization: false }).getReader();
  let text = '';
  let lastY: number | undefined;
  let lastHeight = 0;
  let items = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    const content = part.value as Awaited<ReturnType<Page['getTextContent']>>;
    for (const item of content.items) {
      if (!('str' in item)) continue;
      items += 1;
      if (items > MAX_ITEMS_PER_PAGE) {
        throw new UnreadableDocument(
          'A page of this PDF is built of too many pieces to be read. Export it as PDF again from its source.',
        );
      }
      const y = Number(item.transform[5] ?? 0);
      if (
        item.str !== '' &&
        lastY !== undefined &&
        text.endsWith('\n') &&
        Math.abs(lastY - y) > 1.8 * Math.max(lastHeight, item.height)
      )
        text += '\n';
      text += item.str;
      if (item.hasEOL) text += '\n';
      if (item.str.trim() !== '') {
        lastY = y;
        lastHeight = item.height;
      }
    }
  }
  return text
    .replace(/(\p{Ll})-\n(?=\p{Ll})/gu, '$1')
    .replace(/[ \t]+\n/gu, '\n')
    .trim();
}
