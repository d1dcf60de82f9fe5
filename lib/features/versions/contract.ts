import { z } from 'zod';

/** What one saved change made of an agent, or of one of its outbound prompts. */
export const versionChange = z.object({
  promptId: z.string().nullable().describe('null: the agent itself'),
  title: z.string().nullable(),
  kind: z.enum(['added', 'removed', 'changed']),
  fields: z.array(z.string()),
});

export const versionAuthor = z.object({
  kind: z.enum(['user', 'api_key', 'system', 'unknown']),
  label: z.string().nullable(),
});
