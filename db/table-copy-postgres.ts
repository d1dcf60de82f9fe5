import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import { failingWith, undelayed } from './postgres.ts';
import {
  columnsOf,
  writeUntouched,
  inOrder,
  rowsInOrder,
  SHAPES,
  tableOf,
  type TableStore,
} from './table-shape.ts';

/** A server, over one connection of its own. */
export function openPostgresTables(databaseUrl: string): TableStore {
  const client = postgres(databaseUrl, {
    max: 1,
    onnotice: () => {},
    connection: { application_name: 'callwright-copy' },
    ...undelayed(),
  });
  const query = async (text: string) => [...(await client.unsafe(text))];
  return {
    query,
    shapes: async () => inOrder(await query(SHAPES)),
    async *read(shape, options) {
      yield* await client
        .unsafe(`copy (${rowsInOrder(shape, options)}) to stdout with (format binary)`)
        .readable();
    },
    write: (shape, rows) =>
      writeUntouched({ query }, shape, async () => {
        const copy = client.unsafe(
          `copy ${tableOf(shape)} (${columnsOf(shape)}) from stdin with (format binary)`,
        );
        await pipeline(rows, failingWith(copy, await copy.writable()));
      }),
    close: () => client.end({ timeout: 5 }),
  };
}
