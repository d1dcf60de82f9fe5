/** Next loads this module several times: a symbol of the registry is one in all of the copies. */
const REASON = Symbol.for('callwright.databaseUnavailable');

/** SQLSTATEs, and codes of postgres.js and Node, of a statement that may succeed when it is sent again later. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^25006$/, 'The database is read-only'],
  [/^(?:57014|55P03)$/, 'The database did not answer in time'],
  [/^53\d{3}$/, 'The database takes no more connections'],
  [
    /^(?:57P0[123]|08\w{3}|CONNECT_TIMEOUT|CONNECTION_\w+|E(?:CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|PIPE|NOENT))$/,
    'The database cannot be reached',
  ],
];

/** Errors that a server, or its pooler, says before it has taken a connection, and those of no connection at all. */
const UNCONNECTED =
  /^(?:57P03|53300|CONNECT_TIMEOUT|CONNECTION_\w+|E(?:CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|PIPE|NOENT))$/;

/** `error` itself, which says from now on that the database could not carry the statement out. */
export function unavailable<Failure extends Error>(error: Failure, reason: string): Failure {
  return Object.assign(error, { [REASON]: reason });
}

/** Marks an error of the driver with the reason, where it is one of a database that is away, read-only or too slow. */
export function markUnavailable(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error);
  const reason = REASONS.find(([pattern]) => pattern.test(code))?.[1];
  return reason === undefined ? error : unavailable(error, reason);
}

/** Why the database could not carry out a statement, where that is what the error, or one that caused it, says. */
export function unavailableReason(error: unknown): string | undefined {
  for (let one = error; one instanceof Error; one = one.cause) {
    const reason: unknown = Reflect.get(one, REASON);
    if (typeof reason === 'string') return reason;
  }
  return undefined;
}

/** The server refuses writes: a standby, or one that was made read-only. */
export const isReadOnly = (error: unknown): boolean => codesOf(error).includes('25006');

export const isUnconnected = (error: unknown): boolean => UNCONNECTED.test(codeOf(error));

/** Of the error itself and of those that caused it, as drizzle wraps what the driver throws. */
export function codesOf(error: unknown): string[] {
  const codes = [];
  for (let one = error; one instanceof Error; one = one.cause) codes.push(codeOf(one));
  return codes;
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}
