import { stripVTControlCharacters } from 'node:util';

/*
 * What failed, told again after everything else: of a run's output often only the end is kept, and the tests that
 * failed are rarely the last ones.
 */

/** Lines of an error that are repeated: its message and where it was thrown, not the whole stack. */
const LINES = 12;
/** Of a tool without a report, so much of the end of its output. */
const LAST_LINES = 40;
const LONGEST_LINE = 400;

export type VitestReport = {
  numPassedTests: number;
  testResults: {
    name: string;
    message?: string;
    status: string;
    assertionResults: { status: string; fullName: string; failureMessages?: string[] | null }[];
  }[];
};

type PlaywrightSuite = {
  title: string;
  file: string;
  specs: {
    title: string;
    line: number;
    tests: { status: string; results: { errors: { message?: string }[] }[] }[];
  }[];
  suites?: PlaywrightSuite[];
};
export type PlaywrightReport = {
  stats: { expected: number; flaky: number };
  suites: PlaywrightSuite[];
  errors: { message?: string }[];
};

/** The tests that failed, and the files that could not be run at all, each with the beginning of its error. */
export function vitestFailures(report: VitestReport, root: string): string[] {
  return report.testResults.flatMap((file) => {
    const path = pathWithin(root, file.name);
    const tests = file.assertionResults.filter(({ status }) => status === 'failed');
    if (tests.length === 0 && file.status === 'failed') return [told(path, file.message)];
    return tests.map((test) => told(`${path} › ${test.fullName}`, test.failureMessages?.[0]));
  });
}

/** The tests that passed only when they were repeated, each with what was wrong at first. */
export function vitestRepeated(report: VitestReport, root: string): string[] {
  return report.testResults.flatMap((file) =>
    file.assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length)
      .map((test) => told(`${pathWithin(root, file.name)} › ${test.fullName}`, test.failureMessages?.[0])),
  );
}

/** The same of the browser's tests, with what broke outside a test. */
export function playwrightFailures(report: PlaywrightReport): string[] {
  return [
    ...report.errors.map((error) => told('outside a test', error.message)),
    ...playwrightTests(report, 'unexpected'),
  ];
}

/** The same of the browser's. */
export function playwrightRepeated(report: PlaywrightReport): string[] {
  return playwrightTests(report, 'flaky');
}

function playwrightTests(report: PlaywrightReport, status: 'unexpected' | 'flaky'): string[] {
  const ofSuite = (suite: PlaywrightSuite, above: string[]): string[] => {
    const titles = suite.title === suite.file ? above : [...above, suite.title];
    const own = suite.specs.flatMap((spec) =>
      spec.tests
        .filter((test) => test.status === status)
        .map((test) =>
          told(
            [`${suite.file}:${spec.line}`, ...titles, spec.title].join(' › '),
            test.results.find(({ errors }) => errors.length > 0)?.errors[0]?.message,
          ),
        ),
    );
    return [...own, ...(suite.suites ?? []).flatMap((inner) => ofSuite(inner, titles))];
  };
  return report.suites.flatMap((suite) => ofSuite(suite, []));
}

/** The end of what a tool printed that writes no report. */
export function endOfOutput(name: string, text: string): string {
  return told(name, text.trimEnd().split('\n').slice(-LAST_LINES).join('\n'), LAST_LINES);
}

function pathWithin(root: string, path: string): string {
  return path.startsWith(root) ? path.slice(root.length) : path;
}

function told(title: string, message = '', most = LINES): string {
  // A message may be one line of a megabyte.
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.slice(0, LONGEST_LINE));
  return [`✗ ${title}`, ...lines.slice(0, most).filter((line) => line.trim() !== '')].join('\n    ');
}
