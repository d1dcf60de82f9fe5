import type { Metadata } from 'next';
import { KnowledgeBaseView } from '#components/knowledge/knowledge-base-view.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadDocuments, loadKnowledgeOverview } from '#lib/features/knowledge/loaders.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';

export const metadata: Metadata = { title: 'Knowledge base' };

export default async function KnowledgeBasePage({
  params,
}: {
  params: Promise<{ workspaceId: string; knowledgeBaseId: string }>;
}) {
  const { workspaceId, knowledgeBaseId } = await params;
  const [overview, documents] = await Promise.all([
    loadKnowledgeOverview(workspaceId, knowledgeBaseId),
    loadDocuments(workspaceId, knowledgeBaseId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(knowledgeQueries.overview(workspaceId, knowledgeBaseId).queryKey, overview);
        client.setQueryData(knowledgeQueries.documents(workspaceId, knowledgeBaseId).queryKey, documents);
      }}
    >
      <Page>
        <KnowledgeBaseView knowledgeBaseId={knowledgeBaseId} />
      </Page>
    </Hydrated>
  );
}
