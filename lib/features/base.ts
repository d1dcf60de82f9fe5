import type { Actor } from '#lib/auth/actor.ts';
import { AppError, validationError } from '#lib/errors.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Throws 409 CONFLICT, with what is there now, where a field that the actor read holds something else by now; under the
 * lock of what is changed. A field may be shown in two ways, such as a greeting that is derived where nobody wrote one:
 * one of `shown` has to fit. Without a base everything is overwritten, as before.
 */
export function assertBase({ base }: Pick<Actor, 'base'>, ...shown: readonly [Fields, ...Fields[]]): void {
  if (base === undefined) return;
  const [first] = shown;
  const unknown = Object.keys(base).filter((field) => !Object.hasOwn(first, field));
  if (unknown.length > 0)
    throw validationError(
      unknown.map((field) => ({ field: `base.${field}`, reason: 'is no field of this' })),
    );
  const changed = Object.keys(base).filter((field) =>
    shown.every((fields) => !isSame(fields[field], base[field])),
  );
  if (changed.length === 0) return;
  throw new AppError('CONFLICT', `${changed.join(', ')}: changed since it was read; nothing was saved`, {
    details: { current: Object.fromEntries(changed.map((field) => [field, first[field] ?? null])) },
  });
}

/** An empty text and none are the same to whoever fills in a form. */
function isSame(one: unknown, other: unknown): boolean {
  return written(one) === written(other);
}

function written(value: unknown): string {
  return JSON.stringify(value === '' || value === undefined ? null : sorted(value));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value instanceof Date || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, each]) => each !== undefined);
  return Object.fromEntries(
    entries.toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([name, each]) => [name, sorted(each)]),
  );
}
