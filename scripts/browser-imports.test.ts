import { glob, readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { BROWSER_SOURCES, browserFaults } from './browser-imports.ts';
import type { SourceFile } from './feature-rules.ts';

const files: SourceFile[] = [];
for await (const path of glob(BROWSER_SOURCES)) files.push({ path, text: await readFile(path, 'utf8') });

const page = (text: string) => ({ path: 'components/a/page.tsx', text: `'use client';\n\n${text}` });
const rules = {
  path: 'lib/a/rules.ts',
  text: "import { createHash } from 'node:crypto';\nexport const MOST = 3;\n",
};

describe('what a page ships', () => {
  it('reaches no module of Node in the code as it is', () => {
    expect(browserFaults(files)).toEqual([]);
  });

  it('is found to, where a contract that pages read takes one constant of a module that hashes', () => {
    const path = 'lib/features/shares/contract.ts';
    const planted = files.map((file) =>
      file.path === path ? { path, text: `import { SHARE_PREFIX } from './rules.ts';\n${file.text}` } : file,
    );
    expect(browserFaults(planted)).toEqual([
      expect.stringMatching(
        /components\/\S+ → .*lib\/features\/shares\/contract\.ts → lib\/features\/shares\/rules\.ts → node:crypto$/,
      ),
    ]);
  });

  it.each([
    "import { MOST } from '#lib/a/rules.ts';",
    "import {\n  MOST,\n  type Other,\n} from '../../lib/a/rules.ts';",
    "export { MOST } from '#lib/a/rules.ts';",
    "import '#lib/a/rules.ts';",
    "const load = () => import('#lib/a/rules.ts');",
  ])('follows %j', (text) => {
    expect(browserFaults([page(text), rules])).toEqual([
      'A page ships a module of Node to browsers: components/a/page.tsx → lib/a/rules.ts → node:crypto',
    ]);
  });

  it.each([
    "import type { Other } from '#lib/a/rules.ts';",
    "export type { Other } from '#lib/a/rules.ts';",
    "type Rules = typeof import('#lib/a/rules.ts');",
  ])('does not follow %j', (text) => {
    expect(browserFaults([page(text), rules])).toEqual([]);
  });

  it('is not what the server renders', () => {
    const drawn = { path: 'components/a/page.tsx', text: "import { MOST } from '#lib/a/rules.ts';" };
    expect(browserFaults([drawn, rules])).toEqual([]);
  });
});
