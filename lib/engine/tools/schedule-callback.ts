import { z } from 'zod';
import type { Tool } from './tool.ts';

export const scheduleCallback: Tool<{ when: string; topic?: string | undefined }> = {
  name: 'schedule_callback',
  description:
    'Notes that somebody should call the person back, where no definite day and time was agreed. For a definite slot use book_appointment.',
  parameters: z.object({
    when: z
      .string()
      .max(200)
      .describe("When, in the person's words: 'next week', 'later today', 'no preference'."),
    topic: z.string().max(300).optional().describe('What the callback is about.'),
  }),
  isOffered: () => true,
  async run({ outcome }, { when, topic }) {
    outcome.callback = { spoken: when };
    return { ok: true, when, ...(topic === undefined ? {} : { topic }) };
  },
};
