import { type Inline, parseChatText } from '#lib/chat-client/chat-text.ts';

type Child = Node | string;

/** Makes an element; texts become text nodes, so nothing of a message is ever read as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** A drawing of lines on 24 by 24. */
export function icon(path: string): SVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const drawn = document.createElementNS(namespace, 'path');
  drawn.setAttribute('d', path);
  svg.append(drawn);
  return svg;
}

/** A message as elements. */
export function textElements(text: string): HTMLElement[] {
  return parseChatText(text).map((block) =>
    block.kind === 'list'
      ? element(
          block.isOrdered ? 'ol' : 'ul',
          {},
          ...block.items.map((item) => element('li', {}, ...item.map(piece))),
        )
      : element(
          'p',
          {},
          ...block.lines.flatMap((line, at) => [...(at > 0 ? [element('br')] : []), ...line.map(piece)]),
        ),
  );
}

function piece(part: Inline): Child {
  if (part.kind === 'link') {
    const attributes = { href: part.href, target: '_blank', rel: 'noopener noreferrer nofollow' };
    return element('a', attributes, part.text);
  }
  if (part.kind === 'bold') return element('strong', {}, part.text);
  return part.kind === 'code' ? element('code', {}, part.text) : part.text;
}
