import { z } from 'zod';
import { disposition, direction } from '#lib/features/conversations/contract.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, timestamp } from '#lib/http/schemas.ts';

export const SEARCH_MIN_CHARACTERS = 2;

/** Found by a part of its name, its id, or for what has a number, a part of that. */
const searchResults = z.object({
  agents: z.array(z.object({ id: z.string(), name: z.string(), isActive: z.boolean() })),
  prompts: z.array(
    z.object({ id: z.string(), title: z.string(), agentId: z.string(), agentName: z.string() }),
  ),
  knowledgeBases: z.array(z.object({ id: z.string(), name: z.string() })),
  conversations: z.array(
    z.object({
      id: z.string(),
      direction,
      humanPhoneNumber: z.string(),
      agentName: z.string(),
      dateInitiated: timestamp,
      disposition: disposition.nullable(),
      /** The variable's value that has the words, a name most often; null where something else was found. */
      foundName: z.string().nullable(),
    }),
  ),
});
export type SearchResults = z.output<typeof searchResults>;

export const searchWorkspace = defineOperation({
  id: 'searchWorkspace',
  method: 'GET',
  path: '/dashboard/search',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: 'Find agents, outbound prompts, knowledge bases and conversations by name or number',
  description: 'A few of each kind, the best known first: names in their order, conversations by their date.',
  query: z.object({
    q: z
      .string()
      .max(200)
      .refine((q) => q.trim().length >= SEARCH_MIN_CHARACTERS, 'must have at least 2 characters'),
  }),
  response: enveloped(searchResults),
  status: 200,
});

export const searchOperations = [searchWorkspace] as const;
