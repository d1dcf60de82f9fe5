type Page = { limit: number; after?: string };

/**
 * Every item of a list that takes `limit` and `after`, page after page and only as far as the caller goes; none twice, and
 * none left out, however many come meanwhile:
 * `for await (const one of everyItem((page) => callwright.listConversations({ query: page })))`.
 */
export async function* everyItem<Item extends { id: string }>(
  readPage: (page: Page) => Promise<{ data: Item[] }>,
  { limit = 100 }: { limit?: number } = {},
): AsyncGenerator<Item, void, undefined> {
  let last: Item | undefined;
  do {
    const { data }: { data: Item[] } = await readPage(last ? { limit, after: last.id } : { limit });
    yield* data;
    last = data.length < limit ? undefined : data.at(-1);
  } while (last);
}

/**
 * Every page of a list that answers a `nextCursor`:
 * `for await (const { optOuts } of everyPage((cursor) => callwright.listOptOuts({ query: cursor })))`.
 */
export async function* everyPage<One extends { nextCursor: string | null }>(
  readPage: (cursor: { cursor?: string }) => Promise<{ data: One }>,
): AsyncGenerator<One, void, undefined> {
  let cursor: string | null = null;
  do {
    const { data }: { data: One } = await readPage(cursor === null ? {} : { cursor });
    yield data;
    cursor = data.nextCursor;
  } while (cursor !== null);
}
