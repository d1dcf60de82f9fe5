import type { Metadata } from 'next';
import { ConversationDetail } from '#components/conversations/conversation-detail.tsx';
import { callTitle } from '#components/conversations/wording.ts';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadCall } from '#lib/features/conversations/loaders.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';

type ConversationPageProps = { params: Promise<{ workspaceId: string; callId: string }> };

export async function generateMetadata({ params }: ConversationPageProps): Promise<Metadata> {
  const { workspaceId, callId } = await params;
  return { title: callTitle(await loadCall(workspaceId, callId)) };
}

export default async function ConversationPage({ params }: ConversationPageProps) {
  const { workspaceId, callId } = await params;
  const call = await loadCall(workspaceId, callId);
  return (
    <Hydrated
      fill={(client) => client.setQueryData(conversationQueries.detail(workspaceId, call.id).queryKey, call)}
    >
      <Page>
        <ConversationDetail callId={call.id} />
      </Page>
    </Hydrated>
  );
}
