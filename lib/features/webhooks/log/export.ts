import Papa from 'papaparse';
import type { DeliveryRow } from '../repository.ts';
import type { LogPosition } from './repository.ts';

const ROWS_PER_READ = 200;

const COLUMNS = [
  'id',
  'kind',
  'status',
  'callId',
  'url',
  'resolvedIp',
  'responseStatus',
  'durationMs',
  'error',
  'requestedBy',
  'createdAt',
  'sendingAt',
  'finishedAt',
  'signature',
  'body',
] as const;

/** The log as CSV or as one JSON object a line, read page by page so that its length does not matter. */
export function exportRows(
  readPage: (after: LogPosition | undefined, limit: number) => Promise<DeliveryRow[]>,
  format: 'csv' | 'jsonl',
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let after: LogPosition | undefined;
  let isFirst = true;
  return new ReadableStream({
    async pull(controller) {
      const rows = (await readPage(after, ROWS_PER_READ)).map(exportedOf);
      controller.enqueue(encoder.encode(format === 'csv' ? csvOf(rows, isFirst) : jsonLinesOf(rows)));
      isFirst = false;
      const last = rows.at(-1);
      if (!last || rows.length < ROWS_PER_READ) controller.close();
      else after = { createdAt: new Date(last.createdAt), id: last.id };
    },
  });
}

type Exported = ReturnType<typeof exportedOf>;

function exportedOf(row: DeliveryRow) {
  return {
    id: row.id,
    kind: row.kind,
    status: row.status,
    callId: row.callId,
    url: row.url,
    resolvedIp: row.resolvedIp,
    responseStatus: row.responseStatus,
    durationMs: row.durationMs,
    error: row.error,
    requestedBy: row.requestedBy,
    createdAt: row.createdAt.toISOString(),
    sendingAt: row.sendingAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
    signature: row.signature,
    body: row.body === null ? null : new TextDecoder().decode(row.body),
  };
}

function csvOf(rows: Exported[], withHeader: boolean): string {
  // Cells that a spreadsheet would run as a formula get an apostrophe in front.
  const text = Papa.unparse(
    { fields: [...COLUMNS], data: rows },
    { header: withHeader, escapeFormulae: true },
  );
  return text === '' ? '' : `${text}\r\n`;
}

function jsonLinesOf(rows: Exported[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
