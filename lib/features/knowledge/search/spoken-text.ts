import type { DocumentFileType } from '../rules.ts';
import { CELL_BORDER } from '../split/chunk.ts';

/**
 * A chunk as an agent can read it out: rows of a table become "Treatment: Whitening. Price: 240." with the table's
 * header; other text stays as it is.
 */
export function spokenText(
  fileType: DocumentFileType,
  text: string,
  source: { prefixLength?: number },
): string {
  if (fileType !== 'CSV' || !source.prefixLength) return text;
  const header = text.slice(0, source.prefixLength).trimEnd().split(CELL_BORDER);
  const rows = text.slice(source.prefixLength).split('\n');
  return rows.map((row) => labelled(header, row.split(CELL_BORDER))).join('\n');
}

function labelled(header: string[], cells: string[]): string {
  return (
    cells
      .flatMap((cell, index) =>
        cell.trim() === '' ? [] : [`${header[index] ?? ''}: ${cell}`.replace(/^: /, '')],
      )
      .join('. ') + '.'
  );
}
