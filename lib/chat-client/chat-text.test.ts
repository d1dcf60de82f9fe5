import { expect, it } from 'vitest';
import { parseChatText } from './chat-text.ts';

const linksOf = (text: string) =>
  parseChatText(text)
    .flatMap((block) => (block.kind === 'list' ? block.items : block.lines))
    .flat()
    .flatMap((part) => (part.kind === 'link' ? [part.href] : []));

it('reads paragraphs, lines, lists, bold text, code and links', () => {
  expect(parseChatText('Hello **you**,\nsee `x`.\n\n- one\n- two\n1. first')).toEqual([
    {
      kind: 'paragraph',
      lines: [
        [
          { kind: 'text', text: 'Hello ' },
          { kind: 'bold', text: 'you' },
          { kind: 'text', text: ',' },
        ],
        [
          { kind: 'text', text: 'see ' },
          { kind: 'code', text: 'x' },
          { kind: 'text', text: '.' },
        ],
      ],
    },
    {
      kind: 'list',
      isOrdered: false,
      items: [[{ kind: 'text', text: 'one' }], [{ kind: 'text', text: 'two' }]],
    },
    { kind: 'list', isOrdered: true, items: [[{ kind: 'text', text: 'first' }]] },
  ]);
});

it('takes addresses that lead somewhere, written out or behind words, and none that run something', () => {
  expect(
    linksOf('[Book](https://a.example/book), https://b.example/x?y=1. [Mail](mailto:a@b.example)'),
  ).toEqual(['https://a.example/book', 'https://b.example/x?y=1', 'mailto:a@b.example']);
  for (const target of [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    '/relative',
  ])
    expect(linksOf(`[click](${target})`)).toEqual([]);
});

it('leaves HTML as the text that it is', () => {
  expect(parseChatText('<img src=x onerror=alert(1)>')).toEqual([
    { kind: 'paragraph', lines: [[{ kind: 'text', text: '<img src=x onerror=alert(1)>' }]] },
  ]);
});
