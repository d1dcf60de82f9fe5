import { readdir, readFile } from 'node:fs/promises';
import { systemActor } from '#lib/auth/mint.ts';
import type { Runtime } from '#lib/runtime.ts';

const FOLDER = new URL('../../../../db/seed/documents/', import.meta.url).pathname;

/** Puts the demo's documents into its knowledge base, those that are not there yet. */
export async function uploadDemoDocuments(runtime: Runtime): Promise<void> {
  const actor = systemActor('ws_demo', 'demo');
  const present = new Set(
    (await runtime.knowledge.documents.list(actor, 'kb_practice')).map((document) => document.originalName),
  );
  for (const name of (await readdir(FOLDER)).sort()) {
    if (present.has(name)) continue;
    await runtime.knowledge.documents.add(actor, 'kb_practice', {
      name,
      body: await readFile(FOLDER + name),
    });
  }
}
