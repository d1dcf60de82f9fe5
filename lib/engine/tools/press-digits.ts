import { z } from 'zod';
import type { Tool } from './tool.ts';

export const pressDigits: Tool<{ digits: string }> = {
  name: 'press_digits',
  description:
    'Presses keys of the telephone, for a menu that asks for them ("press 1 for sales") or to enter a number. Use it only when the other side asks for keys, and say nothing beside it.',
  parameters: z.object({
    digits: z
      .string()
      .regex(/^[0-9*#]{1,40}$/, 'must be keys of a telephone: 0 to 9, * and #')
      .describe('The keys in their order, like 1 or 4711#.'),
  }),
  isOffered: (_plan, line) => line.sendDigits !== undefined,
  async run({ sendDigits }, { digits }) {
    if (!sendDigits) return { ok: false, reason: 'no keys can be pressed on this line' };
    await sendDigits(digits);
    return { ok: true, digits };
  },
};
