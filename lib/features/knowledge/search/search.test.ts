/** @module-tag postgres */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agents } from '#db/schema/agents.ts';
import { chunkCodes, chunkVectors } from '#db/schema/knowledge.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { LEXICAL_MODEL, lexicalVector } from '#lib/text/lexical-vector.ts';
import { queryTerms } from '#lib/text/terms.ts';
import { countTerms, termHashes } from '#lib/text/counted-terms.ts';
import { createTermBlockWriter, type TermBlock } from '#lib/text/postings.ts';
import { addIndexedDocument, type KnowledgeTest, startKnowledgeTest } from '../testing.ts';
import { nearestChunks } from './repository.ts';
import { choosePlan, fuse } from './rules.ts';
import { wordMatches } from './word-matches.ts';

let test: KnowledgeTest;
beforeAll(async () => {
  test = await startKnowledgeTest();
});
afterAll(() => test.close());

async function addChunks(actor: Actor, baseId: string, texts: string[]): Promise<void> {
  const { database, ids, clock } = test.runtime;
  const document = { id: ids.next('doc'), workspaceId: actor.workspaceId, knowledgeBaseId: baseId };
  await addIndexedDocument(database, { ...document, createdAt: clock.now() }, texts);
}

/** Text with words as rare and as frequent as in real text, the same on every run. */
function madeText(seed: number, length: number): string {
  let state = seed * 2_654_435_761 + 12_345;
  const random = () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0;
    return state / 0x1_0000_0000;
  };
  let text = '';
  while (text.length < length)
    text += `${Math.floor(random() ** 3 * 20_000)
      .toString(26)
      .replace(/\d/g, (digit) => 'qrstuvwxyz'[Number(digit)] ?? '')} `;
  return text.trim();
}

describe('the pass over the codes', () => {
  it(
    'finds the same eight as the exact scan among 10,000',
    { tags: ['nightly'], timeout: 180_000 },
    async () => {
      const base = await test.runtime.knowledge.bases.create(test.actor, {
        name: 'Recall',
        description: 'x',
      });
      const count = 10_000;
      const texts = Array.from({ length: count }, (_, index) => madeText(index + 1, 2_000));
      await addChunks(test.actor, base.id, texts);
      const plan = choosePlan(count);
      expect(plan.kind).toBe('hamming');
      for (let question = 0; question < 30; question++) {
        const words = (texts[question * 97] ?? '').split(' ');
        const vector = lexicalVector(
          words.slice(5 * (question % 9), 5 * (question % 9) + 1 + (question % 10)).join(' '),
        );
        const search = { baseIds: [base.id], model: LEXICAL_MODEL, vector, limit: 8 };
        const exact = await nearestChunks(test.runtime.db, test.actor.workspaceId, {
          ...search,
          plan: { kind: 'exact' },
        });
        const quick = await nearestChunks(test.runtime.db, test.actor.workspaceId, { ...search, plan });
        expect(quick).toEqual(exact);
      }
    },
  );

  it('is left out where so few chunks are compared exactly anyway', () => {
    expect(choosePlan(0).kind).toBe('empty');
    expect(choosePlan(1_000).kind).toBe('exact');
    expect(choosePlan(1_001)).toEqual({ kind: 'hamming', candidates: 1_000 });
  });
});

describe('isolation', () => {
  it('no question ever gets a chunk of a base that is not the agent’s, or of another workspace', async () => {
    const { knowledge, db, clock } = test.runtime;
    const bases: { id: string; actor: Actor }[] = [];
    for (let index = 0; index < 8; index++) {
      const actor = index % 2 === 0 ? test.actor : test.stranger;
      const base = await knowledge.bases.create(actor, { name: `B${index}`, description: 'x' });
      bases.push({ id: base.id, actor });
      await addChunks(
        actor,
        base.id,
        Array.from(
          { length: 12 },
          (_, chunk) => `The secret of ${base.id} number ${chunk}: ${madeText(index * 100 + chunk, 200)}`,
        ),
      );
    }
    await db.insert(agents).values({
      id: 'agent_a2',
      workspaceId: test.actor.workspaceId,
      name: 'Second',
      createdAt: clock.now(),
      updatedAt: clock.now(),
    });
    const own = bases.filter((base) => base.actor === test.actor).map((base) => base.id);
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(own),
        fc.subarray(own),
        fc.oneof(
          fc.constantFrom(...bases.map((base) => `secret of ${base.id}`)),
          fc.string({ maxLength: 40, unit: 'grapheme' }),
        ),
        fc.integer({ min: 1, max: 50 }),
        async (first, second, query, limit) => {
          await knowledge.bases.setOfAgent(test.actor, 'agent_a', first);
          await knowledge.bases.setOfAgent(test.actor, 'agent_a2', second);
          for (const [agentId, attached] of [
            ['agent_a', first],
            ['agent_a2', second],
          ] as const) {
            const { hits } = await knowledge.search(test.actor, {
              agentId,
              query: query.replaceAll('\u0000', ''),
              limit,
            });
            expect(hits).toHaveLength(Math.min(limit, attached.length * 12));
            for (const hit of hits) expect(attached).toContain(hit.knowledgeBaseId);
          }
        },
      ),
      { numRuns: 40 },
    );
  }, 180_000);

  it('another workspace’s chunk is not returned even when its base id is asked for', async () => {
    const base = await test.runtime.knowledge.bases.create(test.stranger, {
      name: 'Theirs',
      description: 'x',
    });
    await addChunks(test.stranger, base.id, ['their secret']);
    const query = {
      baseIds: [base.id],
      model: LEXICAL_MODEL,
      vector: lexicalVector('their secret'),
      plan: { kind: 'exact' as const },
      limit: 5,
    };
    expect(await nearestChunks(test.runtime.db, test.actor.workspaceId, query)).toEqual([]);
    expect(await nearestChunks(test.runtime.db, test.stranger.workspaceId, query)).toHaveLength(1);
  });
});

describe('the words of a question', () => {
  const matches = (documents: Record<string, string[]>, question: string, limit = 10) => {
    const blocks = Object.entries(documents).flatMap(([documentId, chunkTexts]) => {
      const written: TermBlock[] = [];
      const writer = createTermBlockWriter((more) => written.push(...more));
      for (const [seq, text] of chunkTexts.entries()) writer.add(seq, termHashes(countTerms(text)));
      writer.flush();
      return written.map(({ postings }) => ({ documentId, postings }));
    });
    const chunkCount = Object.values(documents).flat().length;
    return wordMatches(blocks, { terms: queryTerms(question), chunkCount, limit });
  };

  it('weigh the more, the fewer chunks hold them; a chunk with all of them scores 1', () => {
    const found = matches(
      { a: ['price of cleaning', 'price of parking'], b: ['price of whitening', 'nothing here'] },
      'price whitening',
    );
    expect(found.map(({ documentId, seq }) => `${documentId}${seq}`)).toEqual(['b0', 'a0', 'a1']);
    expect(found[0]?.score).toBeCloseTo(1);
    const [price, whitening] = [Math.log(1 + 4 / 3.5), Math.log(1 + 4 / 1.5)];
    expect(found[1]?.score).toBeCloseTo(price / (price + whitening));
  });

  it('give the best of many, in order where scores are equal', () => {
    const many = Array.from({ length: 500 }, (_, index) => (index % 100 === 7 ? 'red car' : 'red bus'));
    const found = matches({ a: many, b: ['red car'] }, 'red car', 6);
    expect(found.map(({ documentId, seq }) => `${documentId}${seq}`)).toEqual([
      'a7',
      'a107',
      'a207',
      'a307',
      'a407',
      'b0',
    ]);
  });
});

describe('fusion', () => {
  it('puts first what both lists put high, and shares the rank of equal scores', () => {
    const fused = fuse(
      [
        { documentId: 'doc', seq: 0, score: 0.9 },
        { documentId: 'doc', seq: 1, score: 0.8 },
        { documentId: 'doc', seq: 2, score: 0.1 },
      ],
      [
        { documentId: 'doc', seq: 2, score: 1 },
        { documentId: 'doc', seq: 1, score: 0.5 },
        { documentId: 'doc', seq: 3, score: 0.5 },
      ],
      10,
    );
    expect(fused.map((hit) => hit.seq)).toEqual([2, 1, 0, 3]);
    expect(fused.find((hit) => hit.seq === 3)).toMatchObject({
      vector: null,
      fullText: { rank: 2, score: 0.5 },
    });
    expect(fused[0]?.fusedScore).toBeCloseTo(1 / 61 + 1 / 63);
  });
});

describe('changing the model', () => {
  it('keeps answering from the old vectors until the new ones are complete, then drops the old', async () => {
    const old = await startKnowledgeTest();
    const base = await old.runtime.knowledge.bases.create(old.actor, { name: 'Moves', description: 'x' });
    for (const fact of ['Whitening costs 240.', 'We open at nine.'])
      await old.runtime.knowledge.documents.add(old.actor, base.id, {
        name: 'a.txt',
        body: Buffer.from(fact),
      });
    const calls: number[] = [];
    let isDown = true;
    const current = {
      model: 'other-model',
      dimensions: 3072 as const,
      async embed(texts: string[]) {
        calls.push(texts.length);
        if (isDown)
          throw Object.assign(new Error('The embedding server could not be reached. Try again later.'), {
            name: 'EmbeddingFailed',
          });
        return texts.map((text) => lexicalVector(`other ${text}`));
      },
    };
    const embedders = {
      current,
      of: (model: string) => (model === current.model ? current : old.runtime.embedders.of(model)),
    };
    const { createKnowledgeService } = await import('../service.ts');
    const knowledge = createKnowledgeService({ ...old.runtime, embedders });
    const models = async () => (await knowledge.bases.overview(old.actor, base.id)).embedding;
    const ask = async () =>
      (await knowledge.search(old.actor, { knowledgeBaseId: base.id, query: 'whitening', limit: 1 })).hits[0]
        ?.why.vector?.rank;
    const signal = new AbortController().signal;

    await expect(knowledge.embedding.reembed(old.actor.workspaceId, base.id, signal)).rejects.toThrow(
      'could not be reached',
    );
    expect(await models()).toMatchObject({
      model: LEXICAL_MODEL,
      targetModel: 'other-model',
      embeddedChunks: 0,
      totalChunks: 2,
      errorMessage: expect.stringContaining('could not be reached'),
    });
    expect(await ask()).toBe(1);
    expect(calls).toEqual([2]);

    isDown = false;
    await knowledge.embedding.reembed(old.actor.workspaceId, base.id, signal);
    expect(await models()).toMatchObject({
      model: 'other-model',
      kind: 'semantic',
      targetModel: null,
      embeddedChunks: 2,
      totalChunks: 2,
      errorMessage: null,
    });
    expect(await ask()).toBe(1);
    for (const table of [chunkVectors, chunkCodes]) {
      const left = await old.runtime.db.select({ model: table.model }).from(table);
      expect(left).toEqual([{ model: 'other-model' }, { model: 'other-model' }]);
    }
    const added = await knowledge.documents.add(old.actor, base.id, {
      name: 'b.txt',
      body: Buffer.from('Parking is free.'),
    });
    expect(added.status).toBe('COMPLETED');
    isDown = true;
    expect(
      await knowledge.documents.add(old.actor, base.id, {
        name: 'c.txt',
        body: Buffer.from('Never embedded.'),
      }),
    ).toMatchObject({
      status: 'FAILED',
      errorMessage: 'The embedding server could not be reached. Try again later.',
    });
    // Words still answer while the model server cannot be asked.
    const found = await knowledge.search(old.actor, { knowledgeBaseId: base.id, query: 'parking', limit: 8 });
    expect(found.hits).toHaveLength(3);
    expect(found.hits[0]).toMatchObject({ text: 'Parking is free.', why: { vector: null } });
    await old.close();
  }, 60_000);

  it('takes each chunk once, in rounds', async () => {
    const base = await test.runtime.knowledge.bases.create(test.actor, { name: 'Long', description: 'x' });
    const texts = (count: number) => Array.from({ length: count }, (_, index) => `Fact number ${index}.`);
    await addChunks(test.actor, base.id, texts(400));
    await addChunks(test.actor, base.id, texts(200));
    const calls: number[] = [];
    const current = {
      model: 'third-model',
      dimensions: 3072 as const,
      async embed(given: string[]) {
        calls.push(given.length);
        return given.map((text) => lexicalVector(`third ${text}`));
      },
    };
    const { createKnowledgeService } = await import('../service.ts');
    const knowledge = createKnowledgeService({ ...test.runtime, embedders: { current, of: () => current } });
    await knowledge.embedding.reembed(test.actor.workspaceId, base.id, new AbortController().signal);
    expect(calls).toEqual([256, 256, 88]);
    expect((await knowledge.bases.overview(test.actor, base.id)).embedding).toMatchObject({
      model: 'third-model',
      embeddedChunks: 600,
      totalChunks: 600,
    });
  });
});
