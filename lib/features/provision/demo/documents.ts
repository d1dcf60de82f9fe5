import { readdir, readFile } from 'node:fs/promises';
import { systemActor } from '#lib/auth/mint.ts';
import type { Runtime } from '#lib/runtime.ts';

const FOLDER = new URL('../../../../db/seed/documents/', import.meta.url).pathname;

/** Puts the demo's documents into its knowledge base: those that are not there yet, or were interrupted. */
export async function uploadDemoDocuments(runtime: Runtime): Promise<void> {
  const { documents } = runtime.knowledge;
  const actor = systemActor('ws_demo', 'demo');
  const present = new Map(
    (await documents.list(actor, 'kb_practice')).map((document) => [document.originalName, document]),
  );
  for (const name of (await readdir(FOLDER)).sort()) {
    const known = present.get(name);
    if (known?.status === 'FAILED') await documents.retry(actor, known.id);
    if (!known) await documents.add(actor, 'kb_practice', { name, body: await readFile(FOLDER + name) });
  }
}
