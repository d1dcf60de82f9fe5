import type { PGlite } from '@electric-sql/pglite';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import type { OnMigration } from './migration-progress.ts';
import type * as schema from './tables.ts';

/** Either driver, or a transaction on it: repositories take this and do not know which. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>;

/** A table with its columns, and rows in COPY's binary form. */
export type CopyInput = { table: string; bytes: Uint8Array<ArrayBuffer> };

export type MigrateOptions = {
  upTo?: number | undefined;
  /** Called where there is something to do: before the first migration, and after each. */
  onMigration?: OnMigration | undefined;
};

export type OpenDatabase = {
  db: Database;
  /** The embedded instance, for the queue's adapter; undefined on PostgreSQL. */
  pglite: PGlite | undefined;
  databaseUrl: string | undefined;
  /**
   * Runs `copy … from stdin with (format binary)` with these bytes, all in one transaction: vectors go in 7 times faster
   * than as text in an `insert` (0.6 ms instead of 4.5 a row, embedded). `table` is SQL: never user input.
   */
  copyIn(copies: CopyInput[]): Promise<void>;
  /**
   * Tells of each `pg_notify` on the channel, by whichever process, for as long as the database is open, and of each moment
   * from which it listens (again): what was sent before may have been missed. The embedded database has no other process.
   */
  listen(channel: string, hearing: { onPayload(payload: string): void; onListening(): void }): Promise<void>;
  /** Rejects with a sentence where the database is away or takes no writes; on a server within a second. */
  ready(): Promise<void>;
  /** Up to the last migration, or to the one with the index `upTo`: a backup is put back into the tables it was taken of. */
  migrate(options?: MigrateOptions): Promise<void>;
  close(): Promise<void>;
};
