import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TableShape, TableStore } from '#db/table-shape.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { ObjectStorage } from '#lib/ports/storage.ts';
import { digested, digestOf } from './backup-files.ts';
import {
  beginFilling,
  compareTable,
  endFilling,
  fillTable,
  migratePlace,
  refuseUsed,
  withTables,
} from './filling.ts';
import { FILLING, isBeingFilled, namedObjects } from './installed.ts';
import { MOVED } from './fit.ts';

export type Move = {
  dataDir: string;
  databaseUrl: string;
  /** Where documents and recordings are, and are to be; undefined: they stay. */
  objects: { from: ObjectStorage; into: ObjectStorage } | undefined;
  /** Begins again where an earlier move was not finished. */
  restart: boolean;
  clock: Clock;
  say: (line: string) => void;
};

export type Moved = { tables: number; rows: number; objects: number; missing: string[] };

/**
 * Moves an embedded installation to a PostgreSQL server. What was copied is noted on the server together with it, so that a
 * move that was interrupted, however hard, goes on where it was; nothing is used before all of it is there and compared.
 * The embedded database stays as it is, and refuses to be started, since both would place the calls that wait.
 */
export async function moveToPostgres(given: Move): Promise<Moved> {
  const source = { dataDir: join(given.dataDir, 'db') };
  const target = { databaseUrl: given.databaseUrl };
  await migratePlace(source);
  await withTables(target, async (store) => {
    await refuseUsed(store, { replace: false });
    if (given.restart || !(await isBeingFilled(store))) await beginFilling(store);
  });
  await migratePlace(target);
  const moved = await withTables(source, (from) => withTables(target, (into) => copyAll(given, from, into)));
  const told = { at: given.clock.now().toISOString(), ...moved };
  await writeFile(join(given.dataDir, MOVED), `${JSON.stringify(told, undefined, 2)}\n`, { mode: 0o600 });
  return moved;
}

async function copyAll(given: Move, from: TableStore, into: TableStore): Promise<Moved> {
  await noteSource(from, into);
  const objects = given.objects ? await copyObjects(given.objects, into, given.say) : 0;
  const shapes = await from.shapes();
  for (const [index, shape] of shapes.entries())
    given.say(`${index + 1}/${shapes.length} ${shape.name}: ${await copyTable(from, into, shape)}`);
  given.say('Comparing both databases …');
  let rows = 0;
  for (const shape of shapes) rows += await compareBoth(from, into, shape);
  const missing = given.objects ? await compareObjects(given.objects.into, from, into, given.say) : [];
  await endFilling(into);
  return { tables: shapes.length, rows, objects, missing };
}

/** Throws where the server is being filled from another installation. */
async function noteSource(from: TableStore, into: TableStore): Promise<void> {
  await into.query(`create table if not exists ${FILLING}.source (id text primary key)`);
  await into.query(`create table if not exists ${FILLING}.tables (name text primary key)`);
  await into.query(
    `create table if not exists ${FILLING}.objects (key text primary key, size_bytes bigint not null, sha256 text not null)`,
  );
  const [own] = await from.query('select system_identifier::text as id from pg_control_system()');
  await into.query(
    `insert into ${FILLING}.source select ${quoted(String(own?.id))} where not exists (select from ${FILLING}.source)`,
  );
  const [begun] = await into.query(`select id from ${FILLING}.source`);
  if (begun?.id !== own?.id)
    throw new Error('a move of another installation to this server was begun: --restart begins again');
}

/** A table and the note that it is there are one transaction. */
async function copyTable(from: TableStore, into: TableStore, shape: TableShape): Promise<string> {
  const [done] = await into.query(`select from ${FILLING}.tables where name = ${quoted(shape.name)}`);
  if (done) return 'there already';
  await into.query('begin');
  const { sizeBytes } = await fillTable(into, shape, from.read(shape));
  await into.query(`insert into ${FILLING}.tables values (${quoted(shape.name)})`);
  await into.query('commit');
  return `${(sizeBytes / 1024 / 1024).toFixed(1)} MB`;
}

async function compareBoth(from: TableStore, into: TableStore, shape: TableShape): Promise<number> {
  const [counted] = await from.query(`select count(*)::int as rows from public."${shape.name}"`);
  const wanted = { rows: Number(counted?.rows), ...(await digestOf(from.read(shape))) };
  await compareTable(into, shape, wanted).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${reason}. Was the service started meanwhile? --restart copies everything again.`);
  });
  return wanted.rows;
}

async function copyObjects(
  objects: NonNullable<Move['objects']>,
  into: TableStore,
  say: (line: string) => void,
): Promise<number> {
  const noted = await into.query(`select key from ${FILLING}.objects`);
  const done = new Set(noted.map(({ key }) => String(key)));
  for await (const { key } of objects.from.list('')) {
    if (done.has(key)) continue;
    const found = await objects.from.open(key);
    if (!found) continue;
    const counted = digested(found.body);
    await objects.into.put(key, counted.body);
    const { sizeBytes, sha256 } = counted.digest();
    await into.query(
      `insert into ${FILLING}.objects values (${quoted(key)}, ${sizeBytes}, ${quoted(sha256)})`,
    );
    done.add(key);
    if (done.size % 100 === 0) say(`${done.size} recordings and documents …`);
  }
  say(`${done.size} recordings and documents`);
  return done.size;
}

/** Reads every copied file again. Answers with what rows name and nobody had: it was lost before. */
async function compareObjects(
  into: ObjectStorage,
  from: TableStore,
  target: TableStore,
  say: (line: string) => void,
): Promise<string[]> {
  say('Comparing recordings and documents …');
  const copied = new Set<string>();
  for (const row of await target.query(`select key, sha256 from ${FILLING}.objects`)) {
    const found = await into.open(String(row.key));
    const digest = found && (await digestOf(found.body));
    if (digest?.sha256 !== row.sha256) throw new Error(`${String(row.key)} did not arrive as it was sent`);
    copied.add(String(row.key));
  }
  return (await namedObjects(from)).filter((key) => !copied.has(key));
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
