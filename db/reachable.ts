import postgres from 'postgres';

export type Reach = { ok: true } | { ok: false; reason: string };

/** SQLSTATEs of a server that starts, stops or has no connection to spare: it will answer by itself. */
const FOR_NOW = /^(?:57P0[123]|53\d{3}|08\w{3})$/;
const LOGIN = /^28/;
const NO_DATABASE = '3D000';
/** A pooler has one SQLSTATE for a server that is away and for a name that it does not know. */
const UNKNOWN_TO_POOLER = /no such (?:database|user)/i;
/** postgres.js and Node; what is wrong with a certificate, or with an address, does not pass. */
const NO_CONNECTION =
  /^(?:E(?:CONNREFUSED|CONNRESET|CONNABORTED|NOTFOUND|AI_AGAIN|TIMEDOUT|HOSTUNREACH|NETUNREACH|HOSTDOWN|PIPE|NOENT)|CONNECT_TIMEOUT|CONNECTION_\w+)$/;
const CONNECT_WITHIN_SECONDS = 5;

/**
 * Asks a PostgreSQL server for a sign of life over a connection of its own. Rejects with a sentence for the operator where
 * waiting does not help: a refused login, a database that does not exist. `variable`: where the address was given.
 */
export async function reachServer(databaseUrl: string, variable: string): Promise<Reach> {
  const client = postgres(databaseUrl, {
    max: 1,
    connect_timeout: CONNECT_WITHIN_SECONDS,
    fetch_types: false,
    onnotice: () => {},
  });
  try {
    await client.unsafe('select 1');
    return { ok: true };
  } catch (error) {
    const { code = '', message = '' } = error as { code?: string; message?: string };
    const { host, database, user } = client.options;
    const where = `PostgreSQL at ${host.join(', ')} (${variable})`;
    const reason = message || code;
    if (LOGIN.test(code))
      throw new Error(`${where} refuses the login as "${user}": ${reason}`, { cause: error });
    if (code === NO_DATABASE || UNKNOWN_TO_POOLER.test(message))
      throw new Error(`${where} refuses the database "${database}": ${reason}`, { cause: error });
    if (FOR_NOW.test(code) || NO_CONNECTION.test(code)) return { ok: false, reason: `${where}: ${reason}` };
    throw new Error(`${where} cannot be used: ${reason}`, { cause: error });
  } finally {
    await client.end({ timeout: 1 });
  }
}
