import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { csvDownload, toCsv } from '#lib/http/csv.ts';
import { listFieldNames } from '#lib/features/agents/results/repository.ts';
import type { CallFilter } from '../contract.ts';
import type { Place } from '../listing/conditions.ts';
import { forActor } from '../rules.ts';
import { type ListedCall, listExported } from '../repository.ts';

const PAGE = 500;

export type CallExportService = ReturnType<typeof createCallExportService>;

const COLUMNS = [
  'id',
  'status',
  'direction',
  'dateInitiated',
  'agent',
  'agentPhoneNumber',
  'humanPhoneNumber',
  'durationSeconds',
  'costCents',
  'disposition',
  'sentiment',
  'tags',
  'summary',
  'endReason',
  'variables',
  'transcript',
  'channel',
  'reviewed',
  'assignee',
  'rating',
  'notes',
] as const;

export function createCallExportService(deps: Pick<Dependencies, 'db' | 'clock'>) {
  return {
    /** The calls that match, the most recent first, as a CSV that grows while it is downloaded. */
    download(actor: Actor, filter: CallFilter): Response {
      // Calls that start meanwhile would shift the pages.
      const until = deps.clock.now().getTime();
      const bounded = { ...forActor(actor, filter), dateEnd: Math.min(filter.dateEnd ?? until, until) };
      const lines = csvOf(
        () => listFieldNames(deps.db, actor.workspaceId, filter.agentId),
        (after) => listExported(deps.db, actor.workspaceId, bounded, { limit: PAGE, after }),
      );
      const name = `calls-${deps.clock.now().toISOString().slice(0, 10)}.csv`;
      return csvDownload(name, lines);
    },
  };
}

async function* csvOf(
  fieldNames: () => Promise<string[]>,
  page: (after: Place | undefined) => Promise<ListedCall[]>,
): AsyncGenerator<string> {
  const names = await fieldNames();
  yield toCsv([[...COLUMNS, ...names.map((name) => `results.${name}`)]]);
  let last: Place | undefined;
  for (;;) {
    const rows = await page(last);
    if (rows.length > 0) yield toCsv(rows.map((call) => [...cellsOf(call), ...resultCellsOf(call, names)]));
    if (rows.length < PAGE) return;
    last = rows.at(-1);
  }
}

function cellsOf(call: ListedCall): string[] {
  return [
    call.id,
    call.status,
    call.direction,
    call.dateInitiated.toISOString(),
    call.agentName,
    call.agentPhoneNumber,
    call.humanPhoneNumber,
    String(call.durationSeconds),
    String(call.cost),
    call.disposition ?? '',
    call.sentiment ?? '',
    call.tags.join(' '),
    call.summary ?? '',
    call.endReason ?? '',
    JSON.stringify(call.variables),
    call.transcript,
    call.channel,
    call.isReviewed ? 'yes' : 'no',
    call.assignee ?? '',
    call.rating === null ? '' : String(call.rating),
    call.notes ?? '',
  ];
}

/** What spreadsheets count with stays a number; a text that begins like a formula is prefixed with the others. */
function resultCellsOf({ results }: ListedCall, names: readonly string[]): (string | number)[] {
  const values = new Map((results ?? []).map(({ name, value }) => [name, value]));
  return names.map((name) => {
    const value = values.get(name) ?? '';
    return typeof value === 'boolean' ? (value ? 'yes' : 'no') : value;
  });
}
