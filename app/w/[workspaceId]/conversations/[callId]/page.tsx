import type { Metadata } from 'next';
import { ConversationDetail } from '#components/conversations/conversation-detail.tsx';
import { requestedFilter, type SearchParams } from '#components/conversations/filter.ts';
import { callTitle } from '#components/conversations/wording.ts';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadCall, loadNeighbours } from '#lib/features/conversations/loaders.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';

type ConversationPageProps = {
  params: Promise<{ workspaceId: string; callId: string }>;
  /** The filter of the list that the conversation was opened from. */
  searchParams: Promise<SearchParams>;
};

export async function generateMetadata({ params }: ConversationPageProps): Promise<Metadata> {
  const { workspaceId, callId } = await params;
  return { title: callTitle(await loadCall(workspaceId, callId)) };
}

export default async function ConversationPage({ params, searchParams }: ConversationPageProps) {
  const { workspaceId, callId } = await params;
  const filter = requestedFilter(await searchParams);
  const call = await loadCall(workspaceId, callId);
  const neighbours = await loadNeighbours(workspaceId, call.id, filter);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(conversationQueries.detail(workspaceId, call.id).queryKey, call);
        client.setQueryData(
          conversationQueries.neighbours(workspaceId, call.id, filter).queryKey,
          neighbours,
        );
      }}
    >
      <Page>
        <ConversationDetail callId={call.id} />
      </Page>
    </Hydrated>
  );
}
