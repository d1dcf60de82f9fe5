import { z } from 'zod';
import type { Tool } from './tool.ts';

const MAX_HITS = 5;
const MAX_HIT_CHARACTERS = 2_400;

export const searchKnowledge: Tool<{ query: string }> = {
  name: 'search_knowledge',
  description:
    "Looks something up in the business's documents. Use it for every question about facts you were not given, and answer from the results only; say that you do not know when they do not hold the answer.",
  parameters: z.object({
    query: z.string().min(1).max(500).describe('What to look for, as a full question.'),
  }),
  isOffered: (plan) => plan.hasKnowledge,
  async run(context, { query }) {
    const hits = await context.searchKnowledge(query);
    return {
      results: hits.slice(0, MAX_HITS).map((hit) => ({
        text: hit.text.slice(0, MAX_HIT_CHARACTERS),
        score: hit.score,
        documentName: hit.documentName,
        location: hit.location,
      })),
    };
  },
};
