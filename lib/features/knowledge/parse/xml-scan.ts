import { SaxesParser } from 'saxes';
import { UnreadableDocument } from './unreadable.ts';

const MAX_DEPTH = 200;
const MAX_BLOCK_CHARACTERS = 4 * 1024 * 1024;

/** A piece of XML that stands by itself, and which table it is a row of. */
export type XmlBlock = { xml: string; table: number | undefined };

type Options = {
  containers: ReadonlySet<string>;
  maxElements: number;
  onBlock: (block: XmlBlock) => Promise<void> | void;
};

/**
 * Reads XML that comes in pieces and hands out the elements below `containers` (by local name) one by one, as they are
 * written, so that a document of any size is read in small parts. Refuses document types, and counts elements and
 * depth. Elements without any `t` (text) inside are passed over.
 */
export function createXmlScanner(options: Options) {
  const parser = new SaxesParser({ position: false });
  /** What a block or an unfinished tag still needs, and the position of its first character. */
  let buffer = '';
  let bufferStart = 0;
  let elements = 0;
  let tables = 0;
  const open: string[] = [];
  /** How many of `open`, from the root, are containers; a block starts just below them. */
  let containerDepth = 0;
  let block: { start: number; hasText: boolean } | undefined;
  let blocks: XmlBlock[] = [];
  let rootTag = '';

  const written = (start: number) => buffer.slice(start - bufferStart, parser.position - bufferStart);

  /** No character of a tag but its first is `<`. */
  function tagStart(): number {
    return bufferStart + buffer.lastIndexOf('<', parser.position - bufferStart - 1);
  }

  function openElement(tag: { name: string }): void {
    elements += 1;
    if (elements > options.maxElements) {
      throw new UnreadableDocument(
        `The document is built of more than ${options.maxElements.toLocaleString('en-US')} elements, too many for a file of its size. Split it, or save it anew.`,
      );
    }
    const name = localName(tag.name);
    if (rootTag === '') rootTag = written(tagStart());
    if (open.length === containerDepth) {
      if (!options.containers.has(name)) block = { start: tagStart(), hasText: false };
      else {
        if (name === 'tbl') tables += 1;
        containerDepth += 1;
      }
    }
    if (block && name === 't') block.hasText = true;
    open.push(name);
    if (open.length > MAX_DEPTH) throw malformed(`its elements are nested more than ${MAX_DEPTH} deep`);
  }

  function closeElement(): void {
    open.pop();
    if (open.length < containerDepth) containerDepth = open.length;
    else if (open.length === containerDepth && block) {
      if (block.hasText)
        blocks.push({ xml: written(block.start), table: open.includes('tbl') ? tables : undefined });
      block = undefined;
    }
  }

  parser.on('opentag', openElement);
  parser.on('closetag', closeElement);
  parser.on('doctype', () => {
    throw malformed('it declares a document type, which could be an attack');
  });
  parser.on('error', () => {
    throw malformed('its XML is broken');
  });

  function forgetRead(): void {
    const unfinishedTag = buffer.lastIndexOf('<');
    const keepFrom = block ? block.start - bufferStart : Math.max(unfinishedTag, 0);
    buffer = buffer.slice(keepFrom);
    bufferStart += keepFrom;
    if (buffer.length > MAX_BLOCK_CHARACTERS)
      throw malformed(block ? 'a paragraph of it is too long' : 'its XML is broken');
  }

  return {
    async push(piece: string): Promise<void> {
      forgetRead();
      buffer += piece;
      parser.write(piece);
      const found = blocks;
      blocks = [];
      for (const each of found) await options.onBlock(each);
    },
    /** The opening tag of the document, with its namespaces. */
    rootTag: () => rootTag,
    finish(): void {
      if (open.length > 0 || elements === 0) throw malformed('its XML breaks off');
      parser.close();
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
