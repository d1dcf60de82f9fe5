import { UnreadableDocument } from './unreadable.ts';

const MAX_DEPTH = 200;
const MAX_TAG_CHARACTERS = 64 * 1024;
const MAX_BLOCK_CHARACTERS = 4 * 1024 * 1024;
// Quotes may hold `>`. Every alternative starts differently, so there is no backtracking.
const TAG = /<(\/?)([^\s<>/"'=]+)(?:[^<>"']|"[^"<]*"|'[^'<]*')*>/y;

/** A piece of XML that stands by itself, and which table it is a row of. */
export type XmlBlock = { xml: string; table: number | undefined };

/**
 * Walks XML that comes in pieces and hands out the elements below `containers` (by local name) one by one, so that a
 * document of any size is read in small parts. Refuses document types, and counts elements and depth.
 * Elements without any `t` (text) inside are passed over.
 */
export function createXmlScanner(options: {
  containers: ReadonlySet<string>;
  maxElements: number;
  onBlock: (block: XmlBlock) => Promise<void> | void;
}) {
  let buffer = '';
  let at = 0;
  let elements = 0;
  let tables = 0;
  const open: string[] = [];
  /** How many of `open`, from the root, are containers; a block starts just below them. */
  let containerDepth = 0;
  let blockStart = -1;
  let blockHasText = false;
  let rootTag = '';

  async function push(piece: string): Promise<void> {
    const keepFrom = blockStart >= 0 ? blockStart : at;
    if (keepFrom > 0) {
      buffer = buffer.slice(keepFrom);
      at -= keepFrom;
      if (blockStart >= 0) blockStart = 0;
    }
    buffer += piece;
    if (blockStart >= 0 && buffer.length > MAX_BLOCK_CHARACTERS)
      throw malformed('a paragraph of it is too long');
    while (await nextToken());
  }

  /** Handles one piece of markup; false when more input is needed. */
  async function nextToken(): Promise<boolean> {
    const next = buffer.indexOf('<', at);
    if (next === -1) {
      at = buffer.length;
      return false;
    }
    at = next;
    if (buffer.length - at < 10 && !buffer.includes('>', at)) return false;
    if (buffer.startsWith('<!--', at)) return skipPast('-->');
    if (buffer.startsWith('<![CDATA[', at)) return skipPast(']]>');
    if (buffer.startsWith('<?', at)) return skipPast('?>');
    if (buffer.startsWith('<!', at)) throw malformed('it declares a document type, which could be an attack');
    TAG.lastIndex = at;
    const match = TAG.exec(buffer);
    if (!match) {
      if (buffer.length - at > MAX_TAG_CHARACTERS) throw malformed('its XML is broken');
      return false;
    }
    const end = at + match[0].length;
    const name = localName(match[2] ?? '');
    if (match[1] === '/') await closeElement(name, end);
    else await openElement(name, at, end, match[0].endsWith('/>'));
    if (rootTag === '') rootTag = match[0];
    at = end;
    return true;
  }

  function skipPast(mark: string): boolean {
    const end = buffer.indexOf(mark, at);
    if (end === -1) {
      if (buffer.length - at > MAX_BLOCK_CHARACTERS) throw malformed('its XML is broken');
      return false;
    }
    at = end + mark.length;
    return true;
  }

  async function openElement(name: string, start: number, end: number, isEmpty: boolean): Promise<void> {
    elements += 1;
    if (elements > options.maxElements) {
      throw new UnreadableDocument(
        `The document is built of more than ${options.maxElements.toLocaleString('en-US')} elements, too many for a file of its size. Split it, or save it anew.`,
      );
    }
    if (name === 't') blockHasText = true;
    const below = open.length === containerDepth;
    if (below && options.containers.has(name)) {
      if (isEmpty) return;
      if (name === 'tbl') tables += 1;
      containerDepth += 1;
    } else if (below) {
      blockStart = start;
      blockHasText = name === 't';
    }
    if (isEmpty) {
      if (below) await endBlock(end);
      return;
    }
    open.push(name);
    if (open.length > MAX_DEPTH) throw malformed(`its elements are nested more than ${MAX_DEPTH} deep`);
  }

  async function closeElement(name: string, end: number): Promise<void> {
    if (open.pop() !== name) throw malformed('its XML is broken');
    if (open.length < containerDepth) containerDepth = open.length;
    else if (open.length === containerDepth) await endBlock(end);
  }

  async function endBlock(end: number): Promise<void> {
    const start = blockStart;
    blockStart = -1;
    if (start < 0 || !blockHasText) return;
    await options.onBlock({
      xml: buffer.slice(start, end),
      table: open.includes('tbl') ? tables : undefined,
    });
  }

  return {
    push,
    /** The opening tag of the document, with its namespaces. */
    rootTag: () => rootTag,
    finish(): void {
      if (open.length > 0 || elements === 0) throw malformed('its XML breaks off');
    },
  };
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon === -1 ? name : name.slice(colon + 1);
}

function malformed(what: string): UnreadableDocument {
  return new UnreadableDocument(
    `This Word document cannot be read: ${what}. Open it in Word, save it as .docx again, and upload that.`,
  );
}
