import { describe, expect, it } from 'vitest';
import { csvDownload, toCsv } from './csv.ts';

describe('a CSV for a spreadsheet', () => {
  it('leaves numbers as they are and keeps formulas harmless', () => {
    expect(toCsv([['+15550100001', '-4', '+1 555 010 4400', '-0.5', 12]])).toBe(
      '+15550100001,-4,+1 555 010 4400,-0.5,12\r\n',
    );
    const cells = ['=1+1', '+1+cmd', '-2+3', '@SUM(A1)', '+', '-1-1', '\t=1'];
    for (const cell of cells) expect(toCsv([[cell]])).toMatch(/^"?'/);
  });

  it('says that it is UTF-8, and is named in any language', async () => {
    async function* lines() {
      yield 'Zoë\r\n';
    }
    const response = csvDownload('März "1" 2026.csv', lines());
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    expect(bytes.slice(0, 3)).toEqual(new Uint8Array([0xef, 0xbb, 0xbf]));
    const name = response.headers.get('content-disposition') ?? '';
    expect(name).toBe(
      `attachment; filename="M_rz _1_ 2026.csv"; filename*=UTF-8''M%C3%A4rz%20%221%22%202026.csv`,
    );
  });
});
