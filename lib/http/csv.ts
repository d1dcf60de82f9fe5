import { Readable } from 'node:stream';
import Papa from 'papaparse';

/** Rows as CSV. Cells that a spreadsheet would run as a formula (`=`, `+`, `-`, `@`, tab, return) are prefixed. */
export function toCsv(rows: (string | number)[][]): string {
  return `${Papa.unparse(rows, { escapeFormulae: /^[=+\-@\t\r]/, newline: '\r\n' })}\r\n`;
}

/** A file that grows while it is downloaded. */
export function csvDownload(filename: string, parts: AsyncIterable<string>): Response {
  return new Response(Readable.toWeb(Readable.from(encoded(parts))) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
  });
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const text of texts) yield Buffer.from(text);
}
