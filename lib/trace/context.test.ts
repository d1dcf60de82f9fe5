import { describe, expect, it } from 'vitest';
import {
  continueTrace,
  currentTrace,
  formatTraceparent,
  parseTraceparent,
  runInTrace,
  traceOf,
} from './context.ts';

const HEADER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

describe('a traceparent header', () => {
  it('is read and written as W3C Trace Context says', () => {
    const trace = parseTraceparent(HEADER);
    expect(trace).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      isSampled: true,
    });
    expect(trace && formatTraceparent(trace)).toBe(HEADER);
    // A later version may say more than this one knows.
    expect(parseTraceparent(`cc${HEADER.slice(2)}-what-comes`)?.spanId).toBe('00f067aa0ba902b7');
  });

  it.each([
    ['missing', null],
    ['empty', ''],
    ['upper case', HEADER.toUpperCase()],
    ['too short', HEADER.slice(0, -4)],
    ['with more than its version has', `${HEADER}-more`],
    ['of the forbidden version', `ff${HEADER.slice(2)}`],
    ['without a trace', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
    ['without a span', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
  ])('that is %s begins a trace of its own', (_, header) => {
    const trace = continueTrace(parseTraceparent(header));
    expect(trace.traceId).toMatch(/^[\da-f]{32}$/);
    expect(trace.traceId).not.toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  });
});

it('means the same span for the same call in every process', () => {
  const from = parseTraceparent(HEADER);
  expect(traceOf('cnv_1', from)).toEqual(traceOf('cnv_1', from));
  expect(traceOf('cnv_1', from).traceId).toBe(from?.traceId);
  expect(traceOf('cnv_1', undefined).traceId).not.toBe(traceOf('cnv_2', undefined).traceId);
});

it('is known to what a request began, and to nothing else', async () => {
  const trace = continueTrace(undefined);
  const seen = await runInTrace(trace, async () => {
    await Promise.resolve();
    return currentTrace();
  });
  expect(seen).toBe(trace);
  expect(currentTrace()).toBeUndefined();
});
