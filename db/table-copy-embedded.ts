import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { openEmbedded } from './embedded.ts';
import {
  columnsOf,
  writeUntouched,
  inOrder,
  rowsInOrder,
  SHAPES,
  tableOf,
  type TableStore,
} from './table-shape.ts';

/** A folder within the database's own, which is all of the machine's files that it sees. */
const FOLDER = 'copying';
/** What the database calls its folder. */
const INSIDE = '/pglite/data';

/** The embedded database; rows pass through a file beside it, as it has no streams. */
export async function openEmbeddedTables(dataDir: string): Promise<TableStore> {
  const { pglite, close } = await openEmbedded({ dataDir });
  const folder = join(dataDir, FOLDER);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  let files = 0;

  async function* throughFile<Out>(work: (path: { inside: string; outside: string }) => AsyncIterable<Out>) {
    const name = `rows-${(files += 1)}`;
    const path = { inside: `${INSIDE}/${FOLDER}/${name}`, outside: join(folder, name) };
    try {
      yield* work(path);
    } finally {
      await rm(path.outside, { force: true });
    }
  }

  const query = async (text: string) => (await pglite.query<Record<string, unknown>>(text)).rows;
  return {
    query,
    shapes: async () => inOrder(await query(SHAPES)),
    read: (shape, options) =>
      throughFile(async function* ({ inside, outside }) {
        await pglite.exec(`copy (${rowsInOrder(shape, options)}) to '${inside}' with (format binary)`);
        yield* createReadStream(outside);
      }),
    write: (shape, rows) =>
      writeUntouched({ query }, shape, async () => {
        const written = throughFile(async function* ({ inside, outside }) {
          await pipeline(rows, createWriteStream(outside, { mode: 0o600 }));
          const columns = columnsOf(shape);
          yield pglite.exec(`copy ${tableOf(shape)} (${columns}) from '${inside}' with (format binary)`);
        });
        for await (const done of written) void done;
      }),
    async close() {
      await rm(folder, { recursive: true, force: true });
      await close();
    },
  };
}
