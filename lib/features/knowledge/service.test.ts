import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KnowledgeTest, startKnowledgeTest, uploadRequest } from './testing.ts';

let test: KnowledgeTest;
beforeAll(async () => {
  test = await startKnowledgeTest();
});
afterAll(() => test.close());

it('finds a fact in an uploaded document, and says why', async () => {
  const { knowledge } = test.runtime;
  const base = await knowledge.bases.create(test.actor, { name: 'Prices', description: 'What things cost' });
  const filler = Array.from({ length: 200 }, (_, index) => `Room ${index} has a window towards the garden and a chair.`).join(' ');
  const text = `# Prices\n\n${filler}\n\n## Whitening\n\nA whitening costs 240 euros and takes one hour.\n\n## Other\n\n${filler}`;
  const document = await knowledge.documents.upload(test.actor, base.id, uploadRequest({ name: 'prices ü.md', bytes: text }));
  expect(document).toMatchObject({ status: 'COMPLETED', originalName: 'prices ü.md', fileType: 'MD', errorMessage: null });
  await knowledge.bases.setOfAgent(test.actor, 'agent_a', [base.id, base.id]);
  const found = await knowledge.search(test.actor, { agentId: 'agent_a', query: 'How much does a whitening cost?', limit: 3 });
  expect(found.hits).toHaveLength(3);
  expect(found.hits[0]?.text).toContain('240 euros');
  expect(found.hits[0]).toMatchObject({ location: 'Prices > Whitening', documentName: 'prices ü.md' });
  expect(found.hits[0]?.why.matchedWords).toContain('whitening');
  console.log(JSON.stringify(found.hits.map((h) => ({ ...h, text: h.text.length })), null, 1), found.durationMs);
  expect(await knowledge.searchForCall(test.actor, 'agent_a', 'How much does a whitening cost?')).not.toEqual([]);
  await knowledge.bases.setOfAgent(test.actor, 'agent_a', []);
  expect(await knowledge.searchForCall(test.actor, 'agent_a', 'How much does a whitening cost?')).toEqual([]);
});
