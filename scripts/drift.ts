import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { buildOpenApi } from '#lib/http/openapi.ts';
import { operations, webhooks } from '#lib/http/operations.ts';
import { CLIENT_FOLDER, generateClient, readFolder } from './client.ts';
import { buildWidget } from './widget.ts';
import { drawStateMachines } from './state-machines.ts';

/*
 * What is written down twice must say the same: the OpenAPI document, the TypeScript client made from it, the drawn state machines,
 * the widget's script, the list of variables.
 * `--write` renews what is generated.
 */
const ROOT = new URL('..', import.meta.url).pathname;
const write = process.argv.includes('--write');
const problems: string[] = [];

const openApi = buildOpenApi({ operations, webhooks, publicUrl: 'http://localhost:3000' });
await compare('docs/openapi.json', `${JSON.stringify(openApi, undefined, 2)}\n`);
await compareClient();
await compare('docs/state-machines.md', drawStateMachines());
await compare('public/widget/v1.js', await buildWidget());
await compareVariables();

if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
console.log('Generated documents and variables agree with the code');

async function compare(path: string, wanted: string): Promise<void> {
  const stored = await readFile(join(ROOT, path), 'utf8').catch(() => '');
  if (stored === wanted) return;
  if (write) {
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    await writeFile(join(ROOT, path), wanted);
  } else problems.push(`${path} is not what the code says: run \`npm run drift -- --write\``);
}

async function compareClient(): Promise<void> {
  const wanted = await generateClient(openApi);
  for (const [path, text] of wanted) await compare(join(CLIENT_FOLDER, path), text);
  for (const path of (await readFolder(join(ROOT, CLIENT_FOLDER))).keys()) {
    if (wanted.has(path)) continue;
    if (write) await rm(join(ROOT, CLIENT_FOLDER, path));
    else problems.push(`${CLIENT_FOLDER}/${path} is generated no more: run \`npm run drift -- --write\``);
  }
}

async function compareVariables(): Promise<void> {
  const source = await readFile(join(ROOT, 'lib/env.ts'), 'utf8');
  const declared = new Set([...source.matchAll(/^ {4}([A-Z][A-Z_0-9]+):/gm)].map(([, name]) => name ?? ''));
  declared.delete('NODE_ENV');
  if (declared.size < 10) problems.push('lib/env.ts: the variables could not be read');
  const example = await readFile(join(ROOT, '.env.example'), 'utf8');
  const documented = await readFile(join(ROOT, 'docs/configuration.md'), 'utf8');
  for (const name of declared) {
    if (!new RegExp(`^${name}=`, 'm').test(example)) problems.push(`.env.example: ${name} is missing`);
    if (!documented.includes(`\`${name}\``)) problems.push(`docs/configuration.md: ${name} is missing`);
  }
  for (const [, name] of example.matchAll(/^([A-Z][A-Z_0-9]+)=/gm)) {
    if (name && !declared.has(name)) problems.push(`.env.example: ${name} is not a variable of lib/env.ts`);
  }
}
