import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import { notFound, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findNumberCountry } from '#lib/features/numbers/country/service.ts';
import { csvDownload, toCsv } from '#lib/http/csv.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { type E164, searchedDigits } from '#lib/phone-number.ts';
import type { OptOut, OptOutPage } from './contract.ts';
import { deleteOptOut, findOptOut, insertOptOuts, listOptOuts, type OptOutRow } from './repository.ts';
import { OPT_OUT_LIMITS, readCursor, readNumber, readNumbers, writeCursor } from './rules.ts';

const ROWS_PER_READ = 1000;

export type OptOutsService = ReturnType<typeof createOptOutsService>;

/** The numbers that a workspace does not call again. Calls from them are taken. */
export function createOptOutsService(
  deps: Pick<Dependencies, 'db' | 'clock'> & {
    /** Ends the calls that wait for numbers of the list, undialled. */
    endWaiting: (workspaceId: WorkspaceId) => Promise<void>;
  },
) {
  const { db, clock } = deps;

  const added = (actor: Actor, note: string | null | undefined) => ({
    source: actor.kind === 'user' ? ('person' as const) : ('api' as const),
    addedBy: actor.label,
    callId: null,
    note: note ? note : null,
    createdAt: clock.now(),
  });

  /** Throws 400 VALIDATION_ERROR where it is no phone number. */
  async function read(workspaceId: WorkspaceId, text: string): Promise<E164> {
    const found = readNumber(text, await findNumberCountry(db, workspaceId));
    if (!found.ok) throw validationError([{ field: 'number', reason: found.fault }]);
    return found.number;
  }

  return {
    /** One page of the list, latest first. `nextCursor` is null on the last page. */
    async list(
      actor: Actor,
      page: { limit: number; cursor?: string | undefined; search?: string | undefined },
    ): Promise<OptOutPage> {
      const rows = await listOptOuts(db, actor.workspaceId, {
        limit: page.limit + 1,
        after: page.cursor === undefined ? undefined : readCursor(page.cursor),
        ...searched(page.search),
      });
      const shownRows = rows.slice(0, page.limit);
      const last = rows.length > page.limit ? shownRows.at(-1) : undefined;
      return { optOuts: shownRows.map(shown), nextCursor: last ? writeCursor(last) : null };
    },

    /**
     * Adds a number, however it is written, and ends the calls that wait for it. One that is on the list stays as it is.
     * Throws 400 VALIDATION_ERROR where it is no phone number.
     */
    async add(actor: Actor, input: { number: string; note?: string | null | undefined }): Promise<OptOut> {
      const { workspaceId } = actor;
      const number = await read(workspaceId, input.number);
      const row = await db.transaction(async (tx) => {
        const [inserted] = await insertOptOuts(tx, workspaceId, [number], added(actor, input.note));
        if (!inserted) return findOptOut(tx, workspaceId, number);
        const data = { number };
        await recordAudit(tx, clock, actor, { action: 'opt_out.added', targetId: number, data });
        return inserted;
      });
      // Somebody removed it in this very moment.
      if (!row) throw notFound('Opt-out');
      await deps.endWaiting(workspaceId);
      return shown(row);
    },

    /** Adds all numbers of a pasted list. Throws 400 VALIDATION_ERROR where it has none, or too many. */
    async import(actor: Actor, input: { text: string; note?: string | null | undefined }) {
      const { numbers, unreadable } = readNumbers(input.text, await findNumberCountry(db, actor.workspaceId));
      if (numbers.length === 0) throw validationError([{ field: 'text', reason: 'has no phone number' }]);
      if (numbers.length > OPT_OUT_LIMITS.pasted) {
        const most = OPT_OUT_LIMITS.pasted.toLocaleString('en-US');
        throw validationError([{ field: 'text', reason: `must have at most ${most} numbers` }]);
      }
      const rows = await db.transaction(async (tx) => {
        const inserted = await insertOptOuts(tx, actor.workspaceId, numbers, added(actor, input.note));
        if (inserted.length > 0) {
          const data = { count: inserted.length };
          await recordAudit(tx, clock, actor, { action: 'opt_out.imported', targetId: null, data });
        }
        return inserted;
      });
      await deps.endWaiting(actor.workspaceId);
      return {
        addedCount: rows.length,
        knownCount: numbers.length - rows.length,
        unreadableCount: unreadable.length,
        unreadable: unreadable.slice(0, OPT_OUT_LIMITS.named).map((piece) => piece.slice(0, 60)),
      };
    },

    /** Throws 404 where the number is not on the list, and 400 VALIDATION_ERROR where it is none. */
    async remove(actor: Actor, written: string): Promise<null> {
      const number = await read(actor.workspaceId, written);
      await db.transaction(async (tx) => {
        if (!(await deleteOptOut(tx, actor.workspaceId, number))) throw notFound('Opt-out');
        const data = { number };
        await recordAudit(tx, clock, actor, { action: 'opt_out.removed', targetId: number, data });
      });
      return null;
    },

    /** The list as a CSV that grows while it is downloaded. */
    export(actor: Actor): Response {
      const name = `opt-outs-${clock.now().toISOString().slice(0, 10)}.csv`;
      const lines = csvOf((after) => listOptOuts(db, actor.workspaceId, { limit: ROWS_PER_READ, after }));
      return csvDownload(name, lines);
    },
  };
}

/** The person asked for it on a call. Call it with the transaction that stores that. */
export async function noteOptOut(
  tx: Database,
  clock: Clock,
  asked: { actor: Actor; callId: string; number: E164; at: Date },
): Promise<void> {
  const { actor, callId, number, at } = asked;
  const row = { source: 'call', addedBy: 'call', callId, note: null, createdAt: at } as const;
  const [inserted] = await insertOptOuts(tx, actor.workspaceId, [number], row);
  if (!inserted) return;
  const data = { number, callId };
  const entry = { action: 'opt_out.added', targetId: number, data };
  await recordAudit(tx, clock, actor, entry);
}

/** Digits are looked for in numbers, everything else in notes and names. */
function searched(text: string | undefined): { digits?: string; words?: string } {
  const words = text?.trim() ?? '';
  if (words === '') return {};
  const digits = searchedDigits(words);
  return digits === null ? { words } : { digits };
}

async function* csvOf(
  readPage: (after: OptOutRow | undefined) => Promise<OptOutRow[]>,
): AsyncGenerator<string> {
  yield toCsv([['number', 'source', 'addedBy', 'conversationId', 'note', 'createdAt']]);
  let last: OptOutRow | undefined;
  do {
    const rows = await readPage(last);
    if (rows.length > 0) yield toCsv(rows.map(cellsOf));
    last = rows.length < ROWS_PER_READ ? undefined : rows.at(-1);
  } while (last);
}

function cellsOf(row: OptOutRow): string[] {
  const { number, source, addedBy, conversationId, note, createdAt } = shown(row);
  return [number, source, addedBy, conversationId ?? '', note ?? '', createdAt];
}

function shown(row: OptOutRow): OptOut {
  return {
    number: row.number,
    source: row.source,
    addedBy: row.addedBy,
    conversationId: row.callId,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
  };
}
