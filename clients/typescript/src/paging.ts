type Page = { limit: number; skip: number };

/**
 * Every item of a list that is read with `limit` and `skip`, page after page and only as far as the caller goes:
 * `for await (const one of everyItem((page) => callwright.listConversations({ query: page })))`.
 */
export async function* everyItem<Item>(
  readPage: (page: Page) => Promise<{ data: Item[] }>,
  { limit = 100 }: { limit?: number } = {},
): AsyncGenerator<Item, void, undefined> {
  for (let skip = 0; ; skip += limit) {
    const { data } = await readPage({ limit, skip });
    yield* data;
    if (data.length < limit) return;
  }
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
