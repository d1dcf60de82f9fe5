import { describe, expect, it } from 'vitest';
import {
  endOfOutput,
  playwrightFailures,
  playwrightRepeated,
  type PlaywrightReport,
  vitestFailures,
  vitestRepeated,
} from './failures.ts';

// Reports as vitest 5.1 and Playwright 1.65 write them, less the fields that nobody reads here.

describe('the failures told at the end', () => {
  it('name the tests of vitest that failed, a file that could not be run, and no other', () => {
    const failures = vitestFailures(
      {
        numPassedTests: 1,
        testResults: [
          {
            name: '/project/lib/some.test.ts',
            status: 'failed',
            message: '',
            assertionResults: [
              { status: 'passed', fullName: 'sums are right', failureMessages: [] },
              {
                status: 'failed',
                fullName: 'sums are wrong',
                failureMessages: [
                  'AssertionError: \u001B[31mexpected 2 to be 3\u001B[39m\n    at /project/lib/some.test.ts:5:54',
                ],
              },
              { status: 'skipped', fullName: 'sums are left out', failureMessages: null },
            ],
          },
          {
            name: '/project/lib/broken.test.ts',
            status: 'failed',
            message: 'no such luck',
            assertionResults: [],
          },
        ],
      },
      '/project/',
    );
    expect(failures).toHaveLength(2);
    expect(failures[0]).toContain(
      '✗ lib/some.test.ts › sums are wrong\n    AssertionError: expected 2 to be 3',
    );
    expect(failures[1]).toBe('✗ lib/broken.test.ts\n    no such luck');
  });

  it('tell apart the tests of vitest that passed when repeated', () => {
    const results = [
      { status: 'passed', fullName: 'is shaky', failureMessages: ['Error: once'] },
      { status: 'passed', fullName: 'is sound', failureMessages: [] },
    ];
    const report = {
      numPassedTests: 2,
      testResults: [
        { name: '/project/lib/some.test.ts', status: 'passed', message: '', assertionResults: results },
      ],
    };
    expect(vitestFailures(report, '/project/')).toEqual([]);
    expect(vitestRepeated(report, '/project/')).toEqual(['✗ lib/some.test.ts › is shaky\n    Error: once']);
  });

  it('name the tests of Playwright that failed, apart from those that passed when repeated', () => {
    const spec = (title: string, line: number, status: string, message?: string) => ({
      title,
      line,
      tests: [{ status, results: [{ errors: message === undefined ? [] : [{ message }] }, { errors: [] }] }],
    });
    const report: PlaywrightReport = {
      stats: { expected: 1, flaky: 1 },
      errors: [{ message: 'the service did not start' }],
      suites: [
        {
          title: 'some.spec.ts',
          file: 'some.spec.ts',
          specs: [spec('right', 3, 'expected')],
          suites: [
            {
              title: 'sums',
              file: 'some.spec.ts',
              specs: [
                spec('wrong', 5, 'unexpected', 'Error: expect(received).toBe(expected)\n\nExpected: 2'),
                spec('shaky', 6, 'flaky', 'Error: once'),
              ],
            },
          ],
        },
      ],
    };
    const failures = playwrightFailures(report);
    expect(failures.map((failure) => failure.split('\n')[0])).toEqual([
      '✗ outside a test',
      '✗ some.spec.ts:5 › sums › wrong',
    ]);
    expect(playwrightRepeated(report)).toEqual(['✗ some.spec.ts:6 › sums › shaky\n    Error: once']);
    expect(failures[0]).toContain('the service did not start');
    expect(failures[1]).toContain('Expected: 2');
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
