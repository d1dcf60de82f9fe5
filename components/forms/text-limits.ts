import type { z } from 'zod';

type Wrapped = { def?: { innerType?: unknown }; maxLength?: number | null };

/** How many characters the operation's schema allows for a field; undefined when it sets no bound. */
export function maxCharacters(schema: z.ZodObject, field: string): number | undefined {
  let current = schema.shape[field] as Wrapped | undefined;
  while (current?.def?.innerType) current = current.def.innerType as Wrapped;
  return current?.maxLength ?? undefined;
}

/** An emptied text field of the API is `null`, not an empty string. */
export function blankToNull(value: unknown): unknown {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}
