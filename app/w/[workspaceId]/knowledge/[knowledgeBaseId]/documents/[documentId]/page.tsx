import type { Metadata } from 'next';
import { DocumentView } from '#components/knowledge/document-view.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadDocument } from '#lib/features/knowledge/loaders.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';

export const metadata: Metadata = { title: 'Document' };

export default async function DocumentPage({
  params,
}: {
  params: Promise<{ workspaceId: string; documentId: string }>;
}) {
  const { workspaceId, documentId } = await params;
  const document = await loadDocument(workspaceId, documentId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(knowledgeQueries.document(workspaceId, documentId).queryKey, document);
      }}
    >
      <Page>
        <DocumentView documentId={documentId} />
      </Page>
    </Hydrated>
  );
}
