import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  endOfOutput,
  type PlaywrightReport,
  playwrightFailures,
  type VitestReport,
  vitestFailures,
} from './failures.ts';

// Inside the project, for its packages to be found from there.
const CACHE = new URL('../node_modules/.cache/callwright/', import.meta.url).pathname;
const BIN = new URL('../node_modules/.bin/', import.meta.url).pathname;
let folder: string;

/** Runs a test runner on files of ours, and answers the report it wrote. */
async function reportOf<Report>(
  command: string,
  args: string[],
  files: Record<string, string>,
): Promise<Report> {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const report = join(folder, 'report.json');
  await new Promise<void>((resolve) => {
    execFile(join(BIN, command), args, { cwd: folder }, () => resolve());
  });
  return JSON.parse(await readFile(report, 'utf8')) as Report;
}

beforeAll(async () => {
  await mkdir(CACHE, { recursive: true });
  folder = await mkdtemp(join(CACHE, 'failures-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the failures told at the end', () => {
  it('name the tests of vitest that failed, a file that could not be run, and no other', async () => {
    const report = await reportOf<VitestReport>(
      'vitest',
      ['run', '--root', '.', '--reporter=json', '--outputFile.json=report.json'],
      {
        'vitest.config.mjs': "export default { test: { include: ['*.unit.mjs'] } };",
        'some.unit.mjs': `
          import { describe, expect, it } from 'vitest';
          describe('sums', () => {
            it('are right', () => expect(1 + 1).toBe(2));
            it('are wrong', () => expect(1 + 1).toBe(3));
          });`,
        'broken.unit.mjs': "throw new Error('no such luck');",
      },
    );
    const failures = vitestFailures(report, `${folder}/`);
    expect(failures).toHaveLength(2);
    const [broken, wrong] = failures.toSorted();
    expect(broken).toContain('✗ broken.unit.mjs\n');
    expect(broken).toContain('no such luck');
    expect(wrong).toContain('✗ some.unit.mjs › sums are wrong\n');
    expect(wrong).toContain('expected 2 to be 3');
  });

  it('name the tests of Playwright that failed or passed only when repeated', async () => {
    const report = await reportOf<PlaywrightReport>('playwright', ['test', '--config', 'pw.config.mjs'], {
      'pw.config.mjs': `
        export default { testMatch: '*.browser.mjs', retries: 1, workers: 1, reporter: [['json', { outputFile: 'report.json' }]] };`,
      'some.browser.mjs': `
        import { expect, test } from '@playwright/test';
        test('right', () => expect(1).toBe(1));
        test.describe('sums', () => {
          test('wrong', () => expect(1).toBe(2));
          test('shaky', ({}, info) => expect(info.retry).toBe(1));
        });`,
    });
    const failures = playwrightFailures(report);
    expect(failures.map((failure) => failure.split('\n')[0])).toEqual([
      '✗ some.browser.mjs:5 › sums › wrong',
      '✗ some.browser.mjs:6 › sums › shaky',
    ]);
    expect(failures[0]).toContain('Expected: 2');
  });

  it('keep the end of what another tool printed, and no endless line', () => {
    const text = Array.from({ length: 500 }, (_, at) => `line ${at}`).join('\n');
    const told = endOfOutput('tsc', `${text}\n${'x'.repeat(5_000)}\n`);
    expect(told).toContain('✗ tsc');
    expect(told).toContain('line 499');
    expect(told).not.toContain('line 400');
    expect(told.length).toBeLessThan(2_000);
  });
});
