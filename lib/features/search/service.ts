import type { Actor } from '#lib/auth/actor.ts';
import { searchWords } from '#lib/features/conversations/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { searchedDigits } from '#lib/phone-number.ts';
import type { SearchResults } from './contract.ts';
import { findAgents, findConversations, findKnowledgeBases, findPrompts, type Wanted } from './repository.ts';

export type SearchService = ReturnType<typeof createSearchService>;

export function createSearchService(deps: Pick<Dependencies, 'db'>) {
  return {
    /** What the palette offers for `text`: everybody of the workspace may read all of it, so no role is asked. */
    async find(actor: Actor, text: string): Promise<SearchResults> {
      const wanted: Wanted = { id: text.trim(), words: searchWords(text), digits: searchedDigits(text) };
      const conversations = await findConversations(deps.db, actor.workspaceId, wanted);
      return {
        agents: await findAgents(deps.db, actor.workspaceId, wanted),
        prompts: await findPrompts(deps.db, actor.workspaceId, wanted),
        knowledgeBases: await findKnowledgeBases(deps.db, actor.workspaceId, wanted),
        conversations: conversations.map(({ variables, ...call }) => ({
          ...call,
          dateInitiated: call.dateInitiated.toISOString(),
          foundName: valueWith(variables, wanted.words),
        })),
      };
    },
  };
}

function valueWith(variables: Record<string, string>, words: readonly string[]): string | null {
  const hasOne = (value: string) => words.some((word) => value.toLowerCase().includes(word.toLowerCase()));
  return Object.values(variables).find(hasOne) ?? null;
}
