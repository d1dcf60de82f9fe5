import { PGlite, type PGliteOptions, types } from '@electric-sql/pglite';
import { pg_trgm as trigrams } from '@electric-sql/pglite/contrib/pg_trgm';
import { vector } from '@electric-sql/pglite-pgvector';

/** PGlite starts PostgreSQL with `-F` otherwise, which waits for no disk (docs/decisions/0366). */
const START_PARAMETERS = PGlite.defaultStartParams.filter((parameter) => parameter !== '-F');
/** A line of PostgreSQL's log: when, which process, how grave, what. */
const LOG_LINE = /^\S+ \S+ \S+ \[\d+\] ([A-Z]+): {2}(.*)$/;
const KEPT_LINES = 50;

/** The embedded database could not be opened. `fatal`: PostgreSQL's own words, where it said any. */
export class DatabaseUnopenable extends Error {
  readonly fatal: string | undefined;

  constructor(dataDir: string, fatal: string | undefined, cause: unknown) {
    const said = fatal ?? (cause instanceof Error ? cause.message : String(cause));
    super(`The embedded database in ${dataDir} cannot be opened: ${said}`, { cause });
    this.name = 'DatabaseUnopenable';
    this.fatal = fatal;
  }
}

/** What becomes of a process whose database is dead: it ends at once, since nothing it does would be kept. */
export type OnDead = (reason: string) => void;

/** Says why on the way out. */
export const endProcess: OnDead = (reason) => {
  process.stderr.write(`${reason}\n`);
  process.exit(DEAD_DATABASE_EXIT_CODE);
};
/** EX_IOERR of sysexits.h. */
const DEAD_DATABASE_EXIT_CODE = 74;

/**
 * Opens PGlite so that a dead instance is noticed. A PANIC, or anything else that breaks PostgreSQL in the middle of its work,
 * comes out of PGlite as an ordinary error or not at all, and its next statement never returns: `onDead` is called instead,
 * in the midst of that work, and must not return. Rejects with `DatabaseUnopenable`.
 */
export async function openPglite(
  {
    where,
    ...options
  }: Pick<PGliteOptions, 'fs' | 'dataDir' | 'loadDataDir' | 'initDbStartParams'> & {
    where: string;
    postgresqlconf: string[];
  },
  onDead: OnDead = endProcess,
): Promise<PGlite> {
  const log = keepLog();
  let isOpen = false;
  const die = (what: string): void => {
    if (isOpen) onDead(deathNotice(where, what));
  };
  const pglite = await PGlite.create({
    ...options,
    startParams: START_PARAMETERS,
    extensions: { vector, pg_trgm: trigrams },
    // Its own parser takes 100 ns a byte.
    parsers: { [types.BYTEA]: (hex: string) => Buffer.from(hex.slice(2), 'hex') },
    onStderr(line) {
      const panic = log.add(line);
      if (panic !== undefined) die(panic);
      return true;
    },
  }).catch((error: unknown) => {
    throw new DatabaseUnopenable(where, log.gravest(), error);
  });
  isOpen = true;
  watchMainLoop(pglite, (error) => die(log.gravest() ?? String(error)));
  return pglite;
}

/** PostgreSQL's last words: gathered, since PGlite tells nobody of them. */
function keepLog() {
  const lines: { level: string; text: string }[] = [];
  return {
    /** Answers with the text of a PANIC. */
    add(line: string): string | undefined {
      const [, level = '', text = ''] = LOG_LINE.exec(line) ?? [];
      if (level === '') return undefined;
      lines.push({ level, text });
      if (lines.length > KEPT_LINES) lines.shift();
      return level === 'PANIC' ? text : undefined;
    },
    gravest(): string | undefined {
      const at = lines.findLastIndex(({ level }) => level === 'PANIC' || level === 'FATAL');
      const [grave, next] = lines.slice(at, at + 2);
      if (at < 0 || !grave) return undefined;
      const detail = next?.level === 'DETAIL' ? ` (${next.text})` : '';
      return `${grave.level}: ${grave.text}${detail}`;
    },
  };
}

/** How a statement that fails comes back; everything else that is thrown in PostgreSQL's main loop PGlite drops, and goes on. */
const FAILED_STATEMENT = 100;

function watchMainLoop(pglite: PGlite, onBroken: (error: unknown) => void): void {
  const postgres: { _PostgresMainLoopOnce(): void } = pglite.Module;
  const runOnce = postgres._PostgresMainLoopOnce;
  postgres._PostgresMainLoopOnce = () => {
    try {
      runOnce();
    } catch (error) {
      const status: unknown = typeof error === 'object' && error !== null && Reflect.get(error, 'status');
      if (status !== FAILED_STATEMENT) onBroken(error);
      throw error;
    }
  };
}

function deathNotice(where: string, what: string): string {
  const isFull = /no space left|disk full|quota/i.test(what);
  const advice = isFull
    ? 'The disk is full: make space (or inodes) free on it, then start the service again; nothing that was answered for is lost.'
    : 'Start the service again; if it ends the same way, look at the disk below this folder.';
  return `The embedded database in ${where} broke off (${what}), so the service ends. ${advice}`;
}
