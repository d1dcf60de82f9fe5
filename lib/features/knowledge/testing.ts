import type { OpenDatabase } from '#db/client.ts';
import { agents } from '#db/schema/agents.ts';
import { documents } from '#db/schema/knowledge.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { LEXICAL_MODEL, vectorOfTerms } from '#lib/text/lexical-vector.ts';
import { createTermBlockWriter, type TermBlock } from '#lib/text/postings.ts';
import { countTerms, termHashes } from '#lib/text/counted-terms.ts';
import { copyRows } from './content/repository.ts';
import { chunkRows, termBlockRows, vectorRows } from './content/rows.ts';
import { storedVector } from './embedding/vector-codes.ts';
import { startTestRuntime, type TestRuntime } from '#lib/runtime-testing.ts';

export type KnowledgeTest = { runtime: TestRuntime; actor: Actor; stranger: Actor; close(): Promise<void> };

/** The service with two workspaces, `ws_a` with `agent_a` and `ws_b` with `agent_b`. */
export async function startKnowledgeTest(
  options: Parameters<typeof startTestRuntime>[0] = {},
): Promise<KnowledgeTest> {
  const runtime = await startTestRuntime(options);
  const now = runtime.clock.now();
  const actor = await addWorkspace(runtime, 'ws_a');
  const stranger = await addWorkspace(runtime, 'ws_b');
  await runtime.db.insert(agents).values([
    { id: 'agent_a', workspaceId: 'ws_a', name: 'Agent a', createdAt: now, updatedAt: now },
    { id: 'agent_b', workspaceId: 'ws_b', name: 'Agent b', createdAt: now, updatedAt: now },
  ]);
  return { runtime, actor, stranger, close: () => runtime.close() };
}

const BATCH_CHUNKS = 48;

/** A completed document of these chunks, without a file: what matters is what is searched. */
export async function addIndexedDocument(
  database: OpenDatabase,
  document: { id: string; workspaceId: string; knowledgeBaseId: string; createdAt: Date },
  texts: readonly string[],
): Promise<void> {
  await database.db.insert(documents).values({
    ...document,
    filename: `${document.id}.txt`,
    originalName: 'made.txt',
    fileType: 'TXT',
    fileSize: 1,
    storageKey: `documents/${document.id}/original.txt`,
    status: 'COMPLETED',
    chunkCount: texts.length,
  });
  const blocks: TermBlock[] = [];
  const terms = createTermBlockWriter((written) => blocks.push(...written));
  for (let at = 0; at < texts.length; at += BATCH_CHUNKS) {
    const rows = texts.slice(at, at + BATCH_CHUNKS).map((text, index) => {
      const counted = countTerms(text);
      terms.add(at + index, termHashes(counted));
      return {
        documentId: document.id,
        model: LEXICAL_MODEL,
        seq: at + index,
        text,
        source: { start: 0, end: text.length },
        ...storedVector(vectorOfTerms(counted)),
      };
    });
    await copyRows(database, [chunkRows(rows), ...vectorRows(rows)]);
  }
  terms.flush();
  const rows = blocks.map((block, part) => ({ ...block, documentId: document.id, part }));
  await copyRows(database, [termBlockRows(rows)]);
}

/** A multipart upload as a browser sends it. */
export function uploadRequest(
  file: { name: string; bytes: Uint8Array | string },
  partName = 'file',
): Promise<Request> {
  const form = new FormData();
  const bytes = typeof file.bytes === 'string' ? file.bytes : new Uint8Array(file.bytes);
  form.append(partName, new File([bytes], file.name));
  return formRequest(form);
}

/** Node's own form stream fails loudly when it is cancelled, as a refused upload does: the bytes are sent instead. */
export async function formRequest(form: FormData): Promise<Request> {
  const encoded = new Response(form);
  const contentType = encoded.headers.get('content-type') ?? '';
  return new Request('http://test/upload', {
    method: 'POST',
    body: await encoded.bytes(),
    headers: { 'content-type': contentType },
  });
}
