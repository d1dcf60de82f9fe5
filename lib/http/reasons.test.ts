import { expect, it } from 'vitest';
import { z } from 'zod';
import { requiredText } from './schemas.ts';
import { reasonOf } from './reasons.ts';

const reasonsFor = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value, { error: reasonOf }).error?.issues.map((issue) => issue.message);

it.each([
  [z.int().min(1).max(1000), Number.NaN, 'must be a number'],
  [z.int().min(1).max(1000), 1.5, 'must be a whole number'],
  [z.int().min(1).max(1000), 0, 'must be at least 1'],
  [z.int().min(1).max(1000), 5000, 'must be at most 1,000'],
  [z.string().min(1), '', 'must not be empty'],
  [z.string().min(8), 'short', 'must be at least 8 characters'],
  [z.array(z.string()).max(2), ['a', 'b', 'c'], 'must have at most 2 entries'],
  [z.enum(['calm', 'warm', 'professional']), 'angry', 'must be calm, warm, or professional'],
  [z.email(), 'me', 'must be an e-mail address'],
  [z.string(), undefined, 'is required'],
  [z.string().min(3, 'must be a real name'), 'x', 'must be a real name'],
])('a value that is refused is told in words: %#', (schema, value, reason) => {
  expect(reasonsFor(schema, value)).toEqual([reason]);
});

it('a name is taken without the blanks around it, and is none where nothing is left', () => {
  expect(requiredText(5).parse('  Mia Q \n')).toBe('Mia Q');
  expect(reasonsFor(requiredText(5), ' \t ')).toEqual(['must not be empty']);
  expect(reasonsFor(requiredText(5), ' longer ')).toEqual(['must be at most 5 characters']);
});
