import { z } from 'zod';
import type { Operation } from './operation.ts';

/** What a client read of a resource before it changes it, field by field (docs/decisions/0377). */
export type Base = Readonly<Record<string, unknown>>;

const base = z
  .record(z.string().max(100), z.unknown())
  .optional()
  .describe(
    'The fields that are replaced as they were read. Where one of them holds something else by now, nothing is changed: 409 CONFLICT, with `details.current`',
  );

/** The body of an operation that replaces what others may have changed meanwhile. */
export function withBase<Shape extends z.core.$ZodLooseShape, Config extends z.core.$ZodObjectConfig>(
  schema: z.ZodObject<Shape, Config>,
) {
  const extended = schema.extend({ base });
  const id = schema.meta()?.id;
  return id === undefined ? extended : extended.meta({ id });
}

/** The same for a body that is no single object. */
export const onBase = z.object({ base });

export function takesBase({ body }: Pick<Operation, 'body'>): boolean {
  return body instanceof z.ZodObject && body.shape['base'] === base;
}

/** A parsed body and what it is based on: services get the fields alone, and the base with who acts. */
export function splitBase(body: unknown): { body: unknown; base: Base | undefined } {
  if (typeof body !== 'object' || body === null || !('base' in body)) return { body, base: undefined };
  const { base: given, ...rest } = body;
  return { body: rest, base: given as Base | undefined };
}
