import { z } from 'zod';

/** `{ data }`, or `{ data, message }` where the contract adds a message. */
export function enveloped<Data extends z.ZodType>(data: Data) {
  return z.object({ data, message: z.string().optional() });
}

/** A path id. Ids are opaque, so any text is accepted and simply not found; the bound keeps look-ups cheap. */
export const pathId = z.string().min(1).max(500);

/** ISO 8601, UTC, milliseconds. Services return `Date`s rendered by `toISOString()`. */
export const timestamp = z.iso.datetime({ precision: 3 }).describe('ISO 8601, UTC, millisecond precision');

/** Beyond the year 9999 JavaScript and PostgreSQL no longer write a moment alike, and the database refuses it. */
export const LAST_MOMENT_MS = Date.UTC(9999, 11, 31);

/** An integer in a query string. Described as an integer in the OpenAPI document. */
export function queryInteger(bounds: { min: number; max: number; default: number }) {
  return integerText(bounds)
    .default(bounds.default)
    .meta({ override: { ...describedInteger(bounds), default: bounds.default } });
}

export function optionalQueryInteger(bounds: { min: number; max: number }) {
  return integerText(bounds)
    .optional()
    .meta({ override: describedInteger(bounds) });
}

/** Bounds beyond what a number holds exactly are those of an int64: whatever it holds is taken. */
function describedInteger({ min, max }: { min: number; max: number }) {
  return {
    type: 'integer',
    ...(min > Number.MIN_SAFE_INTEGER ? { minimum: min } : {}),
    ...(max < Number.MAX_SAFE_INTEGER ? { maximum: max } : { format: 'int64' }),
  };
}

function integerText(bounds: { min: number; max: number }) {
  return (
    z
      .string()
      .regex(/^[+-]?\d{1,19}$/, 'must be an integer')
      // An int64 beyond what a number holds exactly is beyond every date and every list as well.
      .transform((digits) =>
        Math.min(Math.max(Number(digits), Number.MIN_SAFE_INTEGER), Number.MAX_SAFE_INTEGER),
      )
      .refine((value) => value >= bounds.min, `must be at least ${bounds.min}`)
      .refine((value) => value <= bounds.max, `must be at most ${bounds.max}`)
      .pipe(z.number())
  );
}

/** Of a list with `limit` and `skip`: a place in it that stays where it is while items come and go. */
export const afterItem = pathId
  .optional()
  .describe('The id of an item: the list behind it. Left out, from the beginning; `skip` counts from there');
export const PAGING_NOTE =
  'Repeat with `after` set to the id of the last item until a page returns fewer than `limit` items. `skip`, increased by `limit`, works as well; it repeats items where others came before them meanwhile.';

/** Off unless it is asked for. Takes what languages write for it: `true` and `false` in any case, `1` and `0`. */
export const queryBoolean = z
  .string()
  .regex(/^(?:true|false|1|0)$/i, 'must be true or false')
  .transform((text) => /^(?:true|1)$/i.test(text))
  .default(false)
  .meta({ override: { type: 'boolean', default: false } });

/**
 * A moment in ISO 8601 with its zone, in all spellings of that (`2026-03-02T09:00:00.000Z`, `2026-03-02T10:00+01:00`,
 * `…+0100`), as the text of a `timestamp`.
 */
export const moment = z
  .string()
  .max(64)
  .transform((text) =>
    text
      .replace(/(T\d\d:\d\d)(?=[Z+-])/, '$1:00')
      .replace(/([+-]\d\d):?(\d\d)?$/, (_, hours: string, minutes = '00') => `${hours}:${minutes}`),
  )
  .pipe(z.iso.datetime({ offset: true, error: 'must be a time with its zone, such as 2026-03-02T09:00:00Z' }))
  .transform((text) => new Date(text))
  .refine((at) => at.getTime() <= LAST_MOMENT_MS, 'must be before the year 10000')
  .transform((at) => at.toISOString())
  .meta({ override: { type: 'string', format: 'date-time' } });

/** Text with an upper bound whose message a person can act on. */
export function text(maxCharacters: number) {
  return z.string().max(maxCharacters, tooLong(maxCharacters));
}

/** A name or title: without the blanks around it, and not empty. */
export function requiredText(maxCharacters: number) {
  return trimmedText(maxCharacters).min(1, 'must not be empty');
}

/** Text on one line, without the blanks around it. */
export function trimmedText(maxCharacters: number) {
  return z.string().trim().max(maxCharacters, tooLong(maxCharacters));
}

function tooLong(maxCharacters: number): string {
  return `must be at most ${maxCharacters.toLocaleString('en-US')} characters`;
}

/** Of what a form makes: a repeat with the key, a parallel one too, gets what the first request made. */
export const idempotencyHeaders = z.object({
  'idempotency-key': z.string().min(1).max(255).optional(),
});
