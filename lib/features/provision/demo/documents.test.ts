import { eq } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { documents, knowledgeBases } from '#db/schema/knowledge.ts';
import { addWorkspace } from '#lib/auth/testing.ts';
import { startTestRuntime } from '#lib/runtime-testing.ts';
import { LEXICAL_MODEL } from '#lib/text/lexical-vector.ts';
import { uploadDemoDocuments } from './documents.ts';

it('adds the demo’s documents once, and processes again what a stop interrupted', async () => {
  const runtime = await startTestRuntime();
  const actor = await addWorkspace(runtime, 'ws_demo');
  const now = runtime.clock.now();
  await runtime.db.insert(knowledgeBases).values({
    id: 'kb_practice',
    workspaceId: 'ws_demo',
    name: 'Practice',
    description: 'Of the demo',
    embeddingModel: LEXICAL_MODEL,
    createdAt: now,
    updatedAt: now,
  });
  await uploadDemoDocuments(runtime);
  const first = await runtime.knowledge.documents.list(actor, 'kb_practice');
  expect(first.length).toBeGreaterThan(0);
  const interrupted = first[0]?.id ?? '';
  await runtime.db.update(documents).set({ status: 'FAILED' }).where(eq(documents.id, interrupted));
  await uploadDemoDocuments(runtime);
  const second = await runtime.knowledge.documents.list(actor, 'kb_practice');
  expect(second.map(({ id }) => id)).toEqual(first.map(({ id }) => id));
  expect(second.every(({ status }) => status === 'COMPLETED')).toBe(true);
  await runtime.close();
});
