import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { queryRows } from '#db/client.ts';
import { documents } from '#db/schema/knowledge.ts';
import { isAppError } from '#lib/errors.ts';
import { failAbandonedDocuments, removeLeftovers, removeOrphanFiles } from './documents/sweep/service.ts';
import { DOCUMENT_MACHINE, stateAfter, statesBefore } from './documents/machine.ts';
import { formRequest, type KnowledgeTest, startKnowledgeTest, uploadRequest } from './testing.ts';
import type { KnowledgeService } from './service.ts';

let test: KnowledgeTest;
let knowledge: KnowledgeService;
beforeAll(async () => {
  test = await startKnowledgeTest();
  knowledge = test.runtime.knowledge;
});
afterAll(() => test.close());

const newBase = (name = 'Base') => knowledge.bases.create(test.actor, { name, description: 'For a test' });
const errorOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) =>
      isAppError(error)
        ? { code: error.code, status: error.status, message: error.message }
        : Promise.reject(error),
  );

async function storedKeys(): Promise<string[]> {
  const keys: string[] = [];
  for await (const file of test.runtime.storage.list('documents/')) keys.push(file.key);
  return keys;
}

const NOTHING = { chunks: 0, vectors: 0, codes: 0, terms: 0 };

async function rowsOf(documentId: string) {
  const [row] = await queryRows<{ chunks: number; vectors: number; codes: number; terms: number }>(
    test.runtime.db,
    sql`select (select count(*)::int from chunks where document_id = ${documentId}) as chunks, (select count(*)::int from chunk_vectors where document_id = ${documentId}) as vectors,
      (select count(*)::int from chunk_codes where document_id = ${documentId}) as codes,
      (select count(*)::int from term_blocks where document_id = ${documentId}) as terms`,
  );
  return row;
}

describe('knowledge bases', () => {
  it('are listed page by page, with counts, and empty past the end', { tags: ['postgres'] }, async () => {
    const other = await startKnowledgeTest();
    for (const name of ['C', 'A', 'B'])
      await other.runtime.knowledge.bases.create(other.actor, { name, description: name });
    const listing = { page: 1, pageSize: 2, sortBy: 'name', sortOrder: 'asc' } as const;
    const first = await other.runtime.knowledge.bases.list(other.actor, listing);
    expect(first.knowledgeBases.map((base) => base.name)).toEqual(['A', 'B']);
    expect(first).toMatchObject({
      pageCount: 2,
      pageIndex: 1,
      pageSize: 2,
      sortBy: 'name',
      sortOrder: 'asc',
    });
    expect(first.knowledgeBases[0]?._count).toEqual({ documents: 0, agents: 0 });
    const second = await other.runtime.knowledge.bases.list(other.actor, {
      ...listing,
      page: 2,
      sortOrder: 'desc',
    });
    expect(second.knowledgeBases.map((base) => base.name)).toEqual(['A']);
    expect(
      (await other.runtime.knowledge.bases.list(other.actor, { ...listing, page: 900_000_000 }))
        .knowledgeBases,
    ).toEqual([]);
    expect((await other.runtime.knowledge.bases.list(other.stranger, listing)).pageCount).toBe(0);
    await other.close();
  });

  it('change only what is given', { tags: ['postgres'] }, async () => {
    const base = await newBase('Old');
    expect(await knowledge.bases.update(test.actor, base.id, { name: 'New' })).toMatchObject({
      name: 'New',
      description: 'For a test',
    });
    expect(await knowledge.bases.update(test.actor, base.id, {})).toMatchObject({ name: 'New' });
  });

  it('of another workspace are 403, unknown ones 404', async () => {
    const base = await newBase();
    for (const work of [
      () => knowledge.bases.get(test.stranger, base.id),
      () => knowledge.bases.update(test.stranger, base.id, { name: 'x' }),
      () => knowledge.bases.remove(test.stranger, base.id),
      () => knowledge.documents.list(test.stranger, base.id),
      async () =>
        knowledge.documents.upload(
          test.stranger,
          base.id,
          await uploadRequest({ name: 'a.txt', bytes: 'x' }),
        ),
      () => knowledge.search(test.stranger, { knowledgeBaseId: base.id, query: 'x', limit: 1 }),
      () => knowledge.bases.setOfAgent(test.stranger, 'agent_b', [base.id]),
      () => knowledge.bases.listOfAgent(test.stranger, 'agent_a'),
    ])
      expect((await errorOf(work()))?.status).toBe(403);
    expect((await errorOf(knowledge.bases.get(test.actor, 'kb_none')))?.status).toBe(404);
    expect((await errorOf(knowledge.bases.setOfAgent(test.actor, 'agent_a', ['kb_none'])))?.status).toBe(404);
    expect((await errorOf(knowledge.bases.setOfAgent(test.actor, 'agent_none', [])))?.status).toBe(404);
  });

  it('are attached as a whole set, and a wrong id changes nothing', { tags: ['postgres'] }, async () => {
    const [one, two] = [await newBase('One'), await newBase('Two')];
    await knowledge.bases.setOfAgent(test.actor, 'agent_a', [one.id, two.id, one.id]);
    expect((await knowledge.bases.listOfAgent(test.actor, 'agent_a')).map((base) => base.name)).toEqual([
      'One',
      'Two',
    ]);
    await errorOf(knowledge.bases.setOfAgent(test.actor, 'agent_a', [one.id, 'kb_none']));
    expect(await knowledge.bases.listOfAgent(test.actor, 'agent_a')).toHaveLength(2);
    await knowledge.bases.setAgents(test.actor, one.id, []);
    expect((await knowledge.bases.listOfAgent(test.actor, 'agent_a')).map((base) => base.name)).toEqual([
      'Two',
    ]);
    await knowledge.bases.setOfAgent(test.actor, 'agent_a', []);
    expect(await knowledge.bases.listOfAgent(test.actor, 'agent_a')).toEqual([]);
  });

  it('take their documents, chunks, vectors and files with them', { tags: ['postgres'] }, async () => {
    const base = await newBase();
    const document = await knowledge.documents.add(test.actor, base.id, {
      name: 'a.txt',
      body: Buffer.from('A fact.'),
    });
    expect(await rowsOf(document.id)).toEqual({ chunks: 1, vectors: 1, codes: 1, terms: 1 });
    await knowledge.bases.remove(test.actor, base.id);
    expect(await rowsOf(document.id)).toEqual(NOTHING);
    expect((await storedKeys()).filter((key) => key.includes(document.id))).toEqual([]);
  });
});

describe('uploads', () => {
  it('answer with the processed document, as the contract shows it', { tags: ['postgres'] }, async () => {
    const base = await newBase();
    const document = await knowledge.documents.upload(
      test.actor,
      base.id,
      await uploadRequest({ name: '../../Grüße 1.TXT', bytes: 'A fact about whitening.' }),
    );
    expect(document).toMatchObject({
      knowledgeBaseId: base.id,
      originalName: 'Grüße 1.TXT',
      fileType: 'TXT',
      fileSize: 23,
      status: 'COMPLETED',
      chunkCount: 1,
    });
    expect(document).not.toHaveProperty('errorMessage');
    expect(document.processedAt).toMatch(/^\d{4}-.*Z$/);
    expect(await knowledge.documents.list(test.actor, base.id)).toMatchObject([
      { id: document.id, _count: { chunks: 1 } },
    ]);
    const detail = await knowledge.documents.detail(test.actor, document.id);
    expect(detail).toMatchObject({ knowledgeBaseName: 'Base', textLength: 25 });
    expect(
      (await knowledge.documents.extractedText(test.actor, document.id, { start: 2, length: 4 })).text,
    ).toBe('fact');
    expect(await (await knowledge.documents.download(test.actor, document.id)).text()).toBe(
      'A fact about whitening.',
    );
  });

  it('give back the whole extracted text of a long document', async () => {
    const base = await newBase();
    const text = Array.from(
      { length: 300 },
      (_, index) => `Paragraph ${index} says something that is true.`,
    ).join('\n\n');
    const document = await knowledge.documents.add(test.actor, base.id, {
      name: 'a.txt',
      body: Buffer.from(text),
    });
    const whole = await knowledge.documents.extractedText(test.actor, document.id, {
      start: 0,
      length: 100_000,
    });
    expect(whole.text.trim()).toBe(text);
    const chunks = await knowledge.documents.chunks(test.actor, document.id, { page: 1, pageSize: 3 });
    expect(chunks).toMatchObject({ totalCount: document.chunkCount, pageIndex: 1 });
    expect(chunks.chunks.map((chunk) => chunk.seq)).toEqual([0, 1, 2]);
  });

  it('of an empty file are kept as FAILED with a reason', async () => {
    const base = await newBase();
    const document = await knowledge.documents.upload(
      test.actor,
      base.id,
      await uploadRequest({ name: 'a.txt', bytes: '' }),
    );
    expect(document).toMatchObject({ status: 'FAILED', fileSize: 0, chunkCount: null });
    expect(document.errorMessage).toMatch(/no text/);
  });

  it('of a broken file are kept as FAILED with a reason, without a chunk', async () => {
    const base = await newBase();
    const document = await knowledge.documents.upload(
      test.actor,
      base.id,
      await uploadRequest({ name: 'a.pdf', bytes: 'no PDF' }),
    );
    expect(document).toMatchObject({ status: 'FAILED', chunkCount: null, processedAt: null });
    expect(document.errorMessage).toMatch(/not a PDF/);
    expect(await rowsOf(document.id)).toEqual(NOTHING);
    expect(await knowledge.documents.retry(test.actor, document.id)).toMatchObject({ status: 'FAILED' });
  });

  const form = (build: (form: FormData) => void) => {
    const body = new FormData();
    build(body);
    return formRequest(body);
  };
  const raw = (body: string, contentType: string) =>
    new Request('http://test', { method: 'POST', body, headers: { 'content-type': contentType } });
  it.each([
    ['JSON', () => raw('{}', 'application/json'), 'UNSUPPORTED_CONTENT_TYPE', /multipart/],
    ['no boundary', () => raw('x', 'multipart/form-data'), 'MALFORMED_REQUEST', /boundary/],
    [
      'a body that is no multipart',
      () => raw('x', 'multipart/form-data; boundary=b'),
      'MALFORMED_REQUEST',
      /malformed/,
    ],
    [
      'a body that breaks off',
      () =>
        raw(
          '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhello',
          'multipart/form-data; boundary=b',
        ),
      'MALFORMED_REQUEST',
      /broke off/,
    ],
    ['an empty form', () => form(() => {}), undefined, /file|malformed/],
    [
      'another part',
      () => uploadRequest({ name: 'a.txt', bytes: 'x' }, 'document'),
      'VALIDATION_ERROR',
      /document: is not expected/,
    ],
    [
      'text instead of a file',
      () => form((body) => body.append('file', 'hello')),
      'VALIDATION_ERROR',
      /file: must be a file/,
    ],
    [
      'two files',
      () => form((body) => ['a.txt', 'b.txt'].forEach((name) => body.append('file', new File(['x'], name)))),
      'VALIDATION_ERROR',
      /file: must be one file/,
    ],
    [
      'an unsupported ending',
      () => uploadRequest({ name: 'a.exe', bytes: 'x' }),
      'VALIDATION_ERROR',
      /file: must be a \.pdf/,
    ],
    [
      'no ending',
      () => uploadRequest({ name: 'constructor', bytes: 'x' }),
      'VALIDATION_ERROR',
      /file: must be a \.pdf/,
    ],
    [
      '50 MB and a byte',
      () => uploadRequest({ name: 'a.txt', bytes: Buffer.alloc(50 * 1024 * 1024 + 1, 'x') }),
      'FILE_TOO_LARGE',
      /50 MB/,
    ],
  ])('with %s are refused with 400 and leave nothing', async (_, request, code, message) => {
    const base = await newBase();
    const before = await storedKeys();
    const error = await errorOf(knowledge.documents.upload(test.actor, base.id, await request()));
    expect(error).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    if (code) expect(error?.code).toBe(code);
    expect(await knowledge.documents.list(test.actor, base.id)).toEqual([]);
    expect(await storedKeys()).toEqual(before);
  });

  it('that announce more than 50 MB are refused before a byte is read', async () => {
    const base = await newBase();
    let read = 0;
    const body = new ReadableStream(
      { pull: (controller) => controller.enqueue(new Uint8Array(++read)) },
      { highWaterMark: 0 },
    );
    const headers = {
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': String(80 * 1024 * 1024),
    };
    const request = new Request('http://test', {
      method: 'POST',
      body,
      headers,
      duplex: 'half',
    } as RequestInit);
    expect(await errorOf(knowledge.documents.upload(test.actor, base.id, request))).toMatchObject({
      code: 'FILE_TOO_LARGE',
    });
    expect(read).toBe(0);
  });
});

describe('documents in progress', () => {
  it('know their states as data', () => {
    expect(statesBefore('fail')).toEqual(['PENDING', 'PROCESSING']);
    expect(stateAfter('retry')).toBe('PENDING');
    expect(Object.keys(DOCUMENT_MACHINE.COMPLETED)).toEqual([]);
  });

  it('that are deleted leave nothing, and their upload answers 404', { tags: ['postgres'] }, async () => {
    const base = await newBase();
    const upload = errorOf(
      knowledge.documents.add(test.actor, base.id, {
        name: 'long.txt',
        body: Buffer.from('Some words that take their time. '.repeat(150_000)),
      }),
    );
    let open = await test.runtime.db
      .select()
      .from(documents)
      .where(sql`knowledge_base_id = ${base.id} and status = 'PROCESSING'`);
    while (open.length === 0) {
      await test.runtime.clock.sleep(20);
      open = await test.runtime.db
        .select()
        .from(documents)
        .where(sql`knowledge_base_id = ${base.id} and status = 'PROCESSING'`);
    }
    const id = open[0]?.id ?? '';
    expect(
      (await knowledge.search(test.actor, { knowledgeBaseId: base.id, query: 'words', limit: 5 })).hits,
    ).toEqual([]);
    await knowledge.documents.remove(test.actor, id);
    expect(await upload).toMatchObject({ status: 404 });
    expect(await rowsOf(id)).toEqual(NOTHING);
    expect((await storedKeys()).filter((key) => key.includes(id))).toEqual([]);
  });

  it(
    'that a crash left are FAILED by the sweep, without a chunk, and can be processed again',
    { tags: ['postgres'] },
    async () => {
      const base = await newBase();
      const document = await knowledge.documents.add(test.actor, base.id, {
        name: 'a.txt',
        body: Buffer.from('A fact about crashes.'),
      });
      // As the crash leaves it: in progress, with chunks, and a lease that nobody renews.
      await test.runtime.db
        .update(documents)
        .set({ status: 'PROCESSING', leaseToken: 'gone', leaseUntil: new Date(0) })
        .where(sql`id = ${document.id}`);
      expect(
        (await knowledge.search(test.actor, { knowledgeBaseId: base.id, query: 'crashes', limit: 5 })).hits,
      ).toEqual([]);
      await failAbandonedDocuments(test.runtime, { all: false });
      expect(await knowledge.documents.detail(test.actor, document.id)).toMatchObject({
        status: 'FAILED',
        errorMessage: expect.stringContaining('interrupted'),
      });
      expect(await rowsOf(document.id)).toEqual(NOTHING);
      expect(await knowledge.documents.retry(test.actor, document.id)).toMatchObject({
        status: 'COMPLETED',
        chunkCount: 1,
      });
      expect(await errorOf(knowledge.documents.retry(test.actor, document.id))).toMatchObject({
        code: 'INVALID_STATE',
      });
    },
  );

  it(
    'that are gone, or failed, keep nothing after the sweep; those that can be seen keep all',
    { tags: ['postgres'] },
    async () => {
      const base = await newBase();
      const add = () =>
        knowledge.documents.add(test.actor, base.id, { name: 'a.txt', body: Buffer.from('A fact.') });
      const [deleted, failed, kept] = [await add(), await add(), await add()];
      // As a crash leaves them between the first step and the last.
      await test.runtime.db.delete(documents).where(sql`id = ${deleted.id}`);
      await test.runtime.db
        .update(documents)
        .set({ status: 'FAILED' })
        .where(sql`id = ${failed.id}`);
      await removeLeftovers(test.runtime);
      expect(await rowsOf(deleted.id)).toEqual(NOTHING);
      expect(await rowsOf(failed.id)).toEqual(NOTHING);
      expect(await rowsOf(kept.id)).toEqual({ chunks: 1, vectors: 1, codes: 1, terms: 1 });
      expect(await knowledge.documents.retry(test.actor, failed.id)).toMatchObject({ status: 'COMPLETED' });
      expect(await rowsOf(failed.id)).toEqual({ chunks: 1, vectors: 1, codes: 1, terms: 1 });
    },
  );

  it('are not swept while their lease holds', { tags: ['postgres'] }, async () => {
    const base = await newBase();
    const document = await knowledge.documents.add(test.actor, base.id, {
      name: 'a.txt',
      body: Buffer.from('A fact.'),
    });
    await test.runtime.db
      .update(documents)
      .set({ status: 'PENDING', leaseToken: 'held', leaseUntil: new Date(Date.now() + 60_000) })
      .where(sql`id = ${document.id}`);
    await failAbandonedDocuments(test.runtime, { all: false });
    expect(await knowledge.documents.detail(test.actor, document.id)).toMatchObject({ status: 'PENDING' });
    await failAbandonedDocuments(test.runtime, { all: true });
    expect(await knowledge.documents.detail(test.actor, document.id)).toMatchObject({ status: 'FAILED' });
  });

  it('that were stored without being recorded are removed once they are old', async () => {
    const base = await newBase();
    const kept = await knowledge.documents.add(test.actor, base.id, {
      name: 'a.txt',
      body: Buffer.from('A fact.'),
    });
    await test.runtime.storage.put('documents/doc_lost/original.txt', Buffer.from('lost'));
    await removeOrphanFiles(test.runtime);
    expect(await test.runtime.storage.stat('documents/doc_lost/original.txt')).toBeDefined();
    const later = { now: () => new Date(Date.now() + 3_600_000), sleep: test.runtime.clock.sleep };
    await removeOrphanFiles({ ...test.runtime, clock: later });
    expect(await test.runtime.storage.stat('documents/doc_lost/original.txt')).toBeUndefined();
    expect(await test.runtime.storage.stat(`documents/${kept.id}/original.txt`)).toBeDefined();
  });
});

describe('search', () => {
  it(
    'finds a fact in a long document and says why; not after it is detached',
    { tags: ['postgres'] },
    async () => {
      const base = await newBase('Prices');
      const filler = Array.from(
        { length: 200 },
        (_, index) => `Room ${index} has a window towards the garden and a chair.`,
      ).join(' ');
      const text = `# Prices\n\n${filler}\n\n## Whitening\n\nA whitening costs 240 euros and takes one hour.\n\n## Other\n\n${filler}`;
      const document = await knowledge.documents.upload(
        test.actor,
        base.id,
        await uploadRequest({ name: 'prices.md', bytes: text }),
      );
      await knowledge.bases.setOfAgent(test.actor, 'agent_a', [base.id]);
      const found = await knowledge.search(test.actor, {
        agentId: 'agent_a',
        query: 'How much does a whitening cost?',
        limit: 3,
      });
      expect(found).toMatchObject({ searchedChunks: document.chunkCount, plan: 'exact' });
      expect(found.hits).toHaveLength(3);
      expect(found.hits[0]).toMatchObject({
        location: 'Prices > Whitening',
        documentName: 'prices.md',
        knowledgeBaseName: 'Prices',
        why: { vector: { rank: 1 }, fullText: { rank: 1 } },
      });
      expect(found.hits[0]?.why.matchedWords).toContain('whitening');
      const spoken = await knowledge.searchForCall(test.actor, 'agent_a', 'How much does a whitening cost?');
      expect(spoken[0]?.text).toContain('240 euros');
      const unknown = await knowledge.searchForCall(test.actor, 'agent_a', 'xylophone zeppelin');
      expect(unknown.map((hit) => hit.score)).toEqual(unknown.map(() => 0));
      await knowledge.bases.setOfAgent(test.actor, 'agent_a', []);
      expect(await knowledge.searchForCall(test.actor, 'agent_a', 'How much does a whitening cost?')).toEqual(
        [],
      );
    },
  );

  it('always gives as many as there are', async () => {
    const base = await newBase();
    for (const fact of ['One fact.', 'Another fact.', 'Nothing alike.'])
      await knowledge.documents.add(test.actor, base.id, { name: 'a.txt', body: Buffer.from(fact) });
    for (const [limit, count] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [50, 3],
    ] as const) {
      const found = await knowledge.search(test.actor, {
        knowledgeBaseId: base.id,
        query: 'unrelated question?',
        limit,
      });
      expect(found.hits).toHaveLength(count);
    }
    const empty = await newBase();
    expect(
      await knowledge.search(test.actor, { knowledgeBaseId: empty.id, query: 'fact', limit: 5 }),
    ).toMatchObject({ hits: [], plan: 'empty' });
  });

  it('answers any question, whatever its characters', async () => {
    const base = await newBase();
    await knowledge.documents.add(test.actor, base.id, {
      name: 'a.txt',
      body: Buffer.from("It's a 3.5% fact \\ with 'quotes'. 東京都"),
    });
    for (const query of [
      "'",
      "\\'",
      '!&|<->:*',
      "it's",
      'a:*',
      '東京',
      '%',
      'x'.repeat(2_000),
      '😀',
      'ſ ß İ',
    ]) {
      expect(
        (await knowledge.search(test.actor, { knowledgeBaseId: base.id, query, limit: 5 })).hits,
      ).toHaveLength(1);
    }
  });

  it('reads rows of a table out with their header', async () => {
    const base = await newBase();
    await knowledge.documents.add(test.actor, base.id, {
      name: 'a.csv',
      body: Buffer.from('Treatment,Price,Notes\nWhitening,240,\nCheck,30,yearly\n'),
    });
    await knowledge.bases.setOfAgent(test.actor, 'agent_a', [base.id]);
    const [hit] = await knowledge.searchForCall(test.actor, 'agent_a', 'price of whitening');
    expect(hit).toMatchObject({
      text: 'Treatment: Whitening. Price: 240.\nTreatment: Check. Price: 30. Notes: yearly.',
      location: 'rows 1 to 2',
    });
    await knowledge.bases.setOfAgent(test.actor, 'agent_a', []);
  });
});
