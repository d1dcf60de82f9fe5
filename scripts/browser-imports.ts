import { builtinModules } from 'node:module';
import { posix } from 'node:path';
import type { SourceFile } from './feature-rules.ts';

/*
 * What a page ships to browsers must reach no module of Node by value: the bundler puts a copy of it for browsers in its
 * place without a word, 560 kB for `node:crypto` beside one constant. Types cost nothing and are not followed.
 */

export const BROWSER_SOURCES = '{instrumentation-client.ts,{app,components,lib}/**/*.{ts,tsx}}';

/** Statements over several lines too, and what is imported when it is needed. The first group is empty without `type`. */
const IMPORTS =
  /^(?:import|export)\s+(type\s)?(?:[^'"();]*?\sfrom\s+)?'([^']+)'|(?<!typeof )\bimport\(\s*'([^']+)'\s*\)/gm;
const IS_CLIENT = /^(?:\s|\/\*[\s\S]*?\*\/|\/\/.*\n)*'use client'/;
/** Begun in browsers by Next.js itself, without the mark. */
const CLIENT_ENTRIES = ['instrumentation-client.ts'];

/** Each import of Node's that a page would ship, with the way to it from the page's own file. */
export function browserFaults(files: readonly SourceFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  const entries = files
    .filter(({ path, text }) => CLIENT_ENTRIES.includes(path) || IS_CLIENT.test(text))
    .map(({ path }) => path);
  // The shortest way to each, so that a fault is told once and at its nearest page.
  const cameFrom = new Map<string, string | undefined>(entries.map((path) => [path, undefined]));
  const faults: string[] = [];
  for (const path of cameFrom.keys()) {
    for (const specifier of valueImports(texts.get(path) ?? '')) {
      if (isOfNode(specifier)) faults.push(`${wayTo(path, cameFrom)} → ${specifier}`);
      const next = sourcePath(path, specifier);
      if (next !== undefined && texts.has(next) && !cameFrom.has(next)) cameFrom.set(next, path);
    }
  }
  return faults.map((way) => `A page ships a module of Node to browsers: ${way}`);
}

function valueImports(text: string): string[] {
  return [...text.matchAll(IMPORTS)].flatMap(([, type, from, late]) => (type ? [] : [from ?? late ?? '']));
}

function isOfNode(specifier: string): boolean {
  return specifier.startsWith('node:') || builtinModules.includes(specifier);
}

/** From the root; undefined for what a package holds. */
function sourcePath(importer: string, specifier: string): string | undefined {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : undefined;
}

function wayTo(path: string, cameFrom: ReadonlyMap<string, string | undefined>): string {
  const before = cameFrom.get(path);
  return before === undefined ? path : `${wayTo(before, cameFrom)} → ${path}`;
}
