import { z } from 'zod';
import type { Tool } from './tool.ts';

export const scheduleCallback: Tool<{
  when: string;
  topic?: string | undefined;
  contact?: string | undefined;
}> = {
  name: 'schedule_callback',
  description:
    'Notes that somebody should call the person back, where no definite day and time was agreed. For a definite slot use book_appointment.',
  parameters: z.object({
    when: z
      .string()
      .max(200)
      .describe("When, in the person's words: 'next week', 'later today', 'no preference'."),
    topic: z.string().max(300).optional().describe('What the callback is about.'),
    contact: z
      .string()
      .max(200)
      .optional()
      .describe(
        'Where the person wants to be reached: another telephone number than that of the call, an e-mail address.',
      ),
  }),
  isOffered: () => true,
  async run({ outcome }, { when, topic, contact }) {
    const reachedAt = contact === undefined ? {} : { contact };
    outcome.callback = { spoken: when, ...reachedAt };
    return { ok: true, when, ...reachedAt, ...(topic === undefined ? {} : { topic }) };
  },
};
