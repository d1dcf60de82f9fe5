/** A piece of a line. */
export type Inline =
  | { kind: 'text' | 'bold' | 'code'; text: string }
  | { kind: 'link'; text: string; href: string };
export type Block =
  | { kind: 'paragraph'; lines: Inline[][] }
  | { kind: 'list'; isOrdered: boolean; items: Inline[][] };

const ITEM = /^\s*(?:[-*+•]|(\d{1,3})[.)])\s+(.*)$/;
const INLINE =
  /\*\*([^*\n]+)\*\*|__([^_\n]+)__|`([^`\n]+)`|\[([^\]\n]+)\]\(([^)\s]+)\)|(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:!?])/g;

/**
 * What an agent writes in a chat: paragraphs, lists, bold text, code and links. Everything else, HTML above all, stays the
 * text that it is; whoever shows this makes elements of it and never markup.
 */
export function parseChatText(text: string): Block[] {
  const blocks: Block[] = [];
  let isNew = true;
  for (const line of text.split('\n')) {
    const last = blocks.at(-1);
    const item = ITEM.exec(line);
    if (line.trim() === '') isNew = true;
    else if (item) {
      const isOrdered = item[1] !== undefined;
      const content = parseInline(item[2] ?? '');
      if (last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(content);
      else blocks.push({ kind: 'list', isOrdered, items: [content] });
      isNew = true;
    } else {
      const content = parseInline(line.replace(/^#{1,6}\s+/, ''));
      if (last?.kind === 'paragraph' && !isNew) last.lines.push(content);
      else blocks.push({ kind: 'paragraph', lines: [content] });
      isNew = false;
    }
  }
  return blocks;
}

function parseInline(line: string): Inline[] {
  const parts: Inline[] = [];
  let from = 0;
  for (const match of line.matchAll(INLINE)) {
    if (match.index > from) parts.push({ kind: 'text', text: line.slice(from, match.index) });
    parts.push(inlineOf(match));
    from = match.index + match[0].length;
  }
  if (from < line.length) parts.push({ kind: 'text', text: line.slice(from) });
  return parts;
}

function inlineOf([whole, bold, alsoBold, code, label, target, bare]: RegExpExecArray): Inline {
  if (bold !== undefined || alsoBold !== undefined) return { kind: 'bold', text: bold ?? alsoBold ?? '' };
  if (code !== undefined) return { kind: 'code', text: code };
  const href = safeHref(bare ?? target ?? '');
  return href === undefined
    ? { kind: 'text', text: label ?? whole }
    : { kind: 'link', text: label ?? whole, href };
}

/** Addresses that lead somewhere and run nothing. */
function safeHref(target: string): string | undefined {
  if (!URL.canParse(target)) return undefined;
  const { protocol, href } = new URL(target);
  return ['https:', 'http:', 'mailto:', 'tel:'].includes(protocol) ? href : undefined;
}
