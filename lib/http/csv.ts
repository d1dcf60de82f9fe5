import { Readable } from 'node:stream';
import Papa from 'papaparse';

/** What a spreadsheet would run as a formula; a number with a sign, such as +15550100001, is none. */
const FORMULA = /^(?![+-]?\d[\d ]*(?:[.,]\d+)?$)[=+\-@\t\r]/;

/** Rows as CSV. Cells that a spreadsheet would run as a formula are prefixed. */
export function toCsv(rows: (string | number)[][]): string {
  return `${Papa.unparse(rows, { escapeFormulae: FORMULA, newline: '\r\n' })}\r\n`;
}

/** Without it Excel reads UTF-8 as another encoding. */
const BYTE_ORDER_MARK = '\uFEFF';

/** A file that grows while it is downloaded. `filename` may hold any letters. */
export function csvDownload(filename: string, parts: AsyncIterable<string>): Response {
  return new Response(Readable.toWeb(Readable.from(encoded(parts))) as ReadableStream<Uint8Array>, {
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="${filename.replace(/[^ -~]|["\\%]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(filename).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16)}`)}`,
      'cache-control': 'no-store',
    },
  });
}

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  yield Buffer.from(BYTE_ORDER_MARK);
  for await (const text of texts) yield Buffer.from(text);
}
