import { z } from 'zod';

export const turn = z.object({
  seq: z.number().int(),
  speaker: z.enum(['agent', 'human']),
  text: z.string(),
  intendedText: z.string().nullable(),
  startedMs: z.number(),
  endedMs: z.number(),
  interrupted: z.boolean(),
  /** When each word of `text` began, counted from `startedMs`; null where it is not known. */
  wordStartsMs: z.array(z.number()).nullable(),
  /** Of the agent's answer to a turn of the person, in milliseconds; null where it answers nothing. */
  timings: z
    .object({
      transcriptionMs: z.number(),
      endOfTurnMs: z.number(),
      firstTokenMs: z.number().nullable(),
      firstAudioMs: z.number(),
      totalMs: z.number(),
    })
    .nullable(),
});
export type Turn = z.output<typeof turn>;

export const toolUse = z.object({
  seq: z.number().int(),
  name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
  result: z.record(z.string(), z.unknown()),
  startedMs: z.number(),
  endedMs: z.number(),
});
