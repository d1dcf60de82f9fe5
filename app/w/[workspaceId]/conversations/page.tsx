import { ConversationList } from '#components/conversations/conversation-list.tsx';
import { PAGE_SIZE, readSkip, requestedFilter, type SearchParams } from '#components/conversations/filter.ts';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
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
  const [calls, live] = await Promise.all([
    loadCalls(workspaceId, filter, page),
    loadCalls(workspaceId, { status: 'live' }, { limit: LIVE_LIMIT, skip: 0 }),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(conversationQueries.list(workspaceId, filter, page).queryKey, calls);
        client.setQueryData(conversationQueries.live(workspaceId).queryKey, live);
      }}
    >
      <Page>
        <ConversationList />
      </Page>
    </Hydrated>
  );
}
