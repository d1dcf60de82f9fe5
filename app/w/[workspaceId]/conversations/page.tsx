import { ConversationList } from '#components/conversations/conversation-list.tsx';
import { PAGE_SIZE, readSkip, requestedFilter, type SearchParams } from '#components/conversations/filter.ts';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadAgents } from '#lib/features/agents/loaders.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { loadCalls } from '#lib/features/conversations/loaders.ts';
import { conversationQueries, LIVE_LIMIT } from '#lib/features/conversations/queries.ts';

export const metadata = { title: 'Conversations' };

type ConversationsPageProps = {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<SearchParams>;
};

export default async function ConversationsPage({ params, searchParams }: ConversationsPageProps) {
  const { workspaceId } = await params;
  const address = await searchParams;
  const filter = requestedFilter(address);
  const page = { limit: PAGE_SIZE, skip: readSkip(address) };
  const [calls, live, agents] = await Promise.all([
    loadCalls(workspaceId, filter, page),
    loadCalls(workspaceId, { status: 'live' }, { limit: LIVE_LIMIT, skip: 0 }),
    loadAgents(workspaceId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(conversationQueries.list(workspaceId, filter, page).queryKey, calls);
        client.setQueryData(conversationQueries.live(workspaceId).queryKey, live);
        client.setQueryData(agentQueries.list(workspaceId).queryKey, agents);
      }}
    >
      <Page>
        <ConversationList />
      </Page>
    </Hydrated>
  );
}
