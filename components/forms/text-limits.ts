import type { z } from 'zod';

type Wrapped = { def?: { innerType?: unknown; in?: unknown }; maxLength?: number | null };

/** How many characters the operation's schema allows for a field; undefined when it sets no bound. */
export function maxCharacters(schema: z.ZodObject, field: string): number | undefined {
  let current = schema.shape[field] as Wrapped | undefined;
  // Optional and nullable wrap the text in `innerType`, a transformation keeps what it takes under `in`.
  for (let inner = innerOf(current); inner; inner = innerOf(current)) current = inner;
  return current?.maxLength ?? undefined;
}

function innerOf(schema: Wrapped | undefined): Wrapped | undefined {
  return (schema?.def?.innerType ?? schema?.def?.in) as Wrapped | undefined;
}

/** An emptied text field of the API is `null`, not an empty string. */
export function blankToNull(value: string): string | null {
  return value === '' ? null : value;
}
