import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from './unavailable.ts';

/** Somebody waits for what a request does; other work has time. */
export type Lane = 'request' | 'work';

const current = new AsyncLocalStorage<Lane>();

/** Statements of `serve`, and of all that it begins, are sent as those of a request. */
export function inRequestLane<Result>(serve: () => Result): Result {
  return current.run('request', serve);
}

export const laneOf = (): Lane => current.getStore() ?? 'work';

/** A request waits so long for a connection, that of a database which is away included. */
export const WAIT_MS = 5_000;
/** A statement of a request has so long. */
const STATEMENT_MS = 10_000;
/** Where it waits for a table that somebody has locked: nobody knows for how long. */
const LOCKED_MS = 3_000;
const LOOK_EVERY_MS = 250;

type Statement = { text: string; sentAt: number; isSent(): boolean; cancel(): void };

/** The right to use one connection. */
export type Permit = {
  readonly lane: Lane;
  /** Until when a connection has to be found, by `performance.now()`. */
  readonly connectBefore: number;
  readonly statement: Statement | undefined;
  /** What is done on the connection from now on, and what ends it before its time. `cancel` may be called again and again. */
  sends(text: string, statement: Pick<Statement, 'isSent' | 'cancel'>): void;
  /** It was answered, and a transaction goes on. */
  rests(): void;
  release(): void;
};

type Running = { -readonly [Field in keyof Permit]: Permit[Field] } & { text: string; isResting: boolean };
type Waiting = { lane: Lane; text: string; since: number; start: (permit: Permit) => void };

/**
 * Gives out `connections` connections. Neither requests nor other work get all of them; and of statements that need a table
 * on which others wait for a lock, only half of a lane's are sent at a time: what needs other tables goes on
 * (docs/decisions/0369). `findLocked` names the tables that somebody waits for.
 */
export function createLanes({
  connections,
  findLocked,
}: {
  connections: number;
  findLocked: () => Promise<string[]>;
}) {
  const perLane = Math.max(1, connections - Math.max(1, Math.round(connections / 4)));
  const running = new Set<Running>();
  const waiting = new Set<Waiting>();
  let locked: RegExp | undefined;
  let isLooking = false;
  let timer: NodeJS.Timeout | undefined;

  const needsLocked = (text: string) => locked?.test(text) ?? false;

  function mayStart({ lane, text }: Waiting): boolean {
    if (running.size >= connections) return false;
    const others = [...running].filter((one) => one.lane === lane);
    if (others.length >= perLane) return false;
    if (!needsLocked(text)) return true;
    return others.filter((one) => needsLocked(one.text)).length < Math.max(1, Math.floor(perLane / 2));
  }

  function start({ lane, text, since }: Waiting): Permit {
    const permit: Running = {
      lane,
      text,
      isResting: false,
      statement: undefined,
      // Work may have waited for its turn for long.
      connectBefore: (lane === 'request' ? since : performance.now()) + WAIT_MS,
      sends(sent, statement) {
        permit.text = sent;
        permit.isResting = false;
        permit.statement = { ...statement, text: sent, sentAt: performance.now() };
        timer ??= setInterval(look, LOOK_EVERY_MS).unref();
      },
      rests: () => (permit.isResting = true),
      release() {
        running.delete(permit);
        startWaiting();
      },
    };
    running.add(permit);
    return permit;
  }

  function startWaiting(): void {
    for (const one of waiting) {
      if (running.size >= connections) return;
      if (!mayStart(one)) continue;
      waiting.delete(one);
      one.start(start(one));
    }
  }

  /** Ends what has taken too long, and sees whether a lock is why. */
  function look(): void {
    const now = performance.now();
    const slow = [...running].filter(
      ({ statement, isResting }) => statement && !isResting && now - statement.sentAt > LOOK_EVERY_MS,
    );
    for (const { lane, statement, connectBefore } of slow) {
      if (!statement) continue;
      const limitMs = needsLocked(statement.text) ? LOCKED_MS : STATEMENT_MS;
      const isLate = statement.isSent()
        ? lane === 'request' && now - statement.sentAt > limitMs
        : now > connectBefore;
      if (isLate) statement.cancel();
    }
    if (slow.length > 0) {
      if (!isLooking) void lookForLocks();
      return;
    }
    locked = undefined;
    startWaiting();
    if (running.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  }

  async function lookForLocks(): Promise<void> {
    isLooking = true;
    const tables = await findLocked().catch(() => []);
    locked = tables.length > 0 ? new RegExp(`\\b(?:${tables.join('|')})\\b`) : undefined;
    isLooking = false;
    startWaiting();
  }

  return {
    /** Resolves with a permit; a request is refused where it would wait for longer than WAIT_MS. */
    async take(text: string): Promise<Permit> {
      const asked = { lane: laneOf(), text, since: performance.now() };
      const probe: Waiting = { ...asked, start: () => undefined };
      if (waiting.size === 0 && mayStart(probe)) return start(probe);
      return new Promise((resolve, reject) => {
        const refuse = () => {
          waiting.delete(one);
          const reason = needsLocked(text)
            ? 'A table of the database is locked'
            : 'The database has too much to do';
          reject(unavailable(new Error(`No connection to the database within ${WAIT_MS} ms`), reason));
        };
        const late = asked.lane === 'request' ? setTimeout(refuse, WAIT_MS) : undefined;
        const one: Waiting = {
          ...asked,
          start(permit) {
            clearTimeout(late);
            resolve(permit);
          },
        };
        waiting.add(one);
        startWaiting();
      });
    },
  };
}

export type Lanes = ReturnType<typeof createLanes>;
