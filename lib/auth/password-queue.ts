import pLimit from 'p-limit';
import { AppError } from '#lib/errors.ts';

/**
 * scrypt takes a processor for some 80 ms and 32 MB; the four threads it could fill also read files and compress. One
 * at a time leaves a machine of two processors the other one, and checks a dozen sign-ins a second.
 */
const RUNNING = 1;
const WAITING = 8;
/** Of one caller, running and waiting: a person sends one. */
const PER_CALLER = 2;

export type PasswordQueue = ReturnType<typeof createPasswordQueue>;

/** The one place where passwords are hashed and compared: few at once, few that wait, and few for each caller. */
export function createPasswordQueue() {
  const limit = pLimit(RUNNING);
  const callers = new Map<string, number>();

  return {
    /**
     * Runs `work`, which hashes once or twice, when it is its turn. Throws `RATE_LIMITED` where too much waits
     * already. `caller` is an address or a user; work of the service itself and of admins names none.
     */
    async run<T>(caller: string | undefined, work: () => Promise<T>): Promise<T> {
      const own = caller === undefined ? 0 : (callers.get(caller) ?? 0);
      if (own >= PER_CALLER || limit.pendingCount >= WAITING) {
        throw new AppError('RATE_LIMITED', 'Too many passwords are being checked; try again in a moment', {
          retryAfterSeconds: 1,
        });
      }
      if (caller === undefined) return limit(work);
      callers.set(caller, own + 1);
      try {
        return await limit(work);
      } finally {
        const left = (callers.get(caller) ?? 1) - 1;
        if (left > 0) callers.set(caller, left);
        else callers.delete(caller);
      }
    },
  };
}
