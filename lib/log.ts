import { type Logger, type LoggerOptions, pino } from 'pino';

export type { Logger } from 'pino';

/** JSON lines on stdout. Personal data goes only under `pii.`, and that is removed before it is written. */
export function createLogger(level: string, destination?: { write(line: string): void }): Logger {
  const options: LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    // What libraries put into their errors may be anybody's data.
    serializers: { err: describeError },
    redact: { paths: ['pii', '*.pii'], remove: true },
  };
  return destination ? pino(options, destination) : pino(options);
}

/**
 * An error for a log line: its name, message and causes, and where it came from. Of a failed query only the SQLSTATE,
 * the statement's name and the constraint are told: the driver's messages repeat values, which may be anybody's data.
 */
export function describeError(error: unknown): string {
  const chain = causesOf(error);
  const query = textOf(chain, 'query');
  const sqlState = textOf(chain, 'code', /^[0-9A-Z]{5}$/);
  const told =
    query === undefined && sqlState === undefined
      ? chain.map((one) => (one instanceof Error ? `${one.name}: ${one.message}` : String(one)))
      : [
          `Query failed: ${query === undefined ? 'unnamed statement' : statementName(query)}`,
          // Where the database gave no state it was not reached, and the code is the system's.
          sqlState === undefined ? textOf(chain, 'code') : `SQLSTATE ${sqlState}`,
          textOf(chain, 'constraint') ?? textOf(chain, 'constraint_name'),
        ];
  return [told.filter((part) => part !== undefined).join(', '), ...framesOf(chain[0])].join('\n');
}

/** The error and what caused it, outermost first; a chain that never ends is cut. */
function causesOf(error: unknown): unknown[] {
  const chain = [error];
  for (let cause = error; cause instanceof Error && cause.cause !== undefined && chain.length < 5;) {
    cause = cause.cause;
    chain.push(cause);
  }
  return chain;
}

function textOf(chain: unknown[], property: string, pattern = /./): string | undefined {
  for (const one of chain) {
    const value: unknown = typeof one === 'object' && one !== null ? Reflect.get(one, property) : undefined;
    if (typeof value === 'string' && pattern.test(value)) return value;
  }
  return undefined;
}

/** `select calls` for `select … from "calls" …`: enough to find it, and without anything that was sent with it. */
function statementName(query: string): string {
  const verb = /^\s*([a-z]+)/i.exec(query)?.[1] ?? 'statement';
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)/i.exec(query)?.[1];
  return [verb.toLowerCase(), table].filter((part) => part !== undefined).join(' ');
}

/** The stack without its first lines, which repeat the message. */
function framesOf(error: unknown): string[] {
  const lines = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  return lines.filter((line) => /^\s+at /.test(line));
}
