import { createHash } from 'node:crypto';
import type { Actor } from '#lib/auth/actor.ts';
import { AppError } from '#lib/errors.ts';

/** How long an `Idempotency-Key` is remembered. */
export const IDEMPOTENCY_HOURS = 24;

/** From when on a key counts. */
export function oldestKey(now: Date): Date {
  return new Date(now.getTime() - IDEMPOTENCY_HOURS * 3_600_000);
}

/** Keys of the API are the workspace's; each person has their own. */
export function keyOf({ kind, id }: Actor, key: string): string {
  return kind === 'user' ? JSON.stringify([kind, id, key]) : key;
}

export function hashOf(request: unknown): string {
  return createHash('sha256').update(JSON.stringify(request)).digest('hex');
}

/** Throws IDEMPOTENCY_KEY_REUSED where a key was first used for something else. */
export function assertSameRequest(first: { requestHash: string }, requestHash: string): void {
  if (first.requestHash !== requestHash)
    throw new AppError('IDEMPOTENCY_KEY_REUSED', 'This Idempotency-Key was used with a different request');
}

/** The answer while the first request with the key is at work. */
export function stillAtWork(retryAfterSeconds: number): AppError {
  return new AppError('NOT_READY', 'The first request with this Idempotency-Key is not finished', {
    retryAfterSeconds,
  });
}
