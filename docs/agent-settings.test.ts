import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { agentSchema } from '#lib/features/agents/contract.ts';
import { outboundPromptSchema } from '#lib/features/prompts/contract.ts';

const page = await readFile(new URL('./agent-settings.md', import.meta.url), 'utf8');
/** `**render** `lib/…`` at the top of the page: what a short name stands for. */
const files = new Map(
  Array.from(page.matchAll(/\*\*([a-zA-Z ]+)\*\* `([^`]+)`/g), ([, name = '', path = '']) => [name, path]),
);

type Row = { fields: string[]; shownBy: string };

function rowsOf(heading: string): Row[] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return section
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, fields = '', , shownBy = '']) => ({
      fields: Array.from(fields.matchAll(/`(\w+)`/g), ([, field = '']) => field),
      shownBy,
    }));
}

/** `render: "name", "other"; calls: "…"` as file and title, titles cut at their ellipses. */
function testsOf(shownBy: string): { path: string; pieces: string[] }[] {
  const mentions = shownBy.matchAll(/(?:^|; )`?([^`:"]+)`?: ((?:"[^"]+"(?:, )?)+)/g);
  return Array.from(mentions).flatMap(([, name = '', titles = '']) =>
    Array.from(titles.matchAll(/"([^"]+)"/g), ([, title = '']) => ({
      path: files.get(name) ?? name,
      pieces: title
        .split('…')
        .map((piece) => piece.trim())
        .filter((piece) => piece !== ''),
    })),
  );
}

/** Fields that only identify or date. */
const WITHOUT_EFFECT = ['id', 'createdAt', 'updatedAt'];

describe.each([
  ['Agent', agentSchema.shape],
  ['Outbound prompt', outboundPromptSchema.shape],
])('the table of the %s', (heading, shape) => {
  const rows = rowsOf(heading);

  it('has every field of the contract, and no other', () => {
    const fields = Object.keys(shape).filter((field) => !WITHOUT_EFFECT.includes(field));
    expect(rows.flatMap((row) => row.fields).toSorted()).toEqual(fields.toSorted());
  });

  it.each(rows.map((row) => [row.fields.join(', '), row.shownBy]))(
    'names tests of %s that exist',
    async (_, shownBy) => {
      const tests = testsOf(shownBy);
      expect(tests.length).toBeGreaterThan(0);
      for (const { path, pieces } of tests) {
        const source = await readFile(new URL(`../${path}`, import.meta.url), 'utf8');
        expect(
          pieces.filter((piece) => !source.includes(piece)),
          path,
        ).toEqual([]);
      }
    },
  );
});
