import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

// Every relative link and every code path named in the Markdown files must exist.
const ROOT = new URL('..', import.meta.url).pathname;
const files = [
  ...(await readdir(ROOT)).filter((name) => name.endsWith('.md')),
  ...(await readdir(join(ROOT, 'docs'), { recursive: true }))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name)),
  'clients/typescript/README.md',
];

const broken: string[] = [];
for (const file of files) {
  const text = await readFile(join(ROOT, file), 'utf8');
  for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)[^)]*\)/g)) {
    if (target && !existsSync(resolve(ROOT, dirname(file), target))) broken.push(`${file}: ${target}`);
  }
  for (const [, path] of text.matchAll(
    /`((?:app|components|lib|server|db|e2e|bench|scripts|docs|clients)\/[\w./[\]()-]+\.(?:tsx?|md|mjs|sql|json))`/g,
  )) {
    if (path && !existsSync(join(ROOT, path))) broken.push(`${file}: ${path}`);
  }
}
if (broken.length > 0) {
  console.error(`Dead links:\n${broken.map((line) => `  ${line}`).join('\n')}`);
  process.exit(1);
}
console.log(`${files.length} files, every link leads somewhere`);
