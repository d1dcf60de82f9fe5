import type { Metadata } from 'next';
import { readKnowledgeListQuery } from '#components/knowledge/knowledge-list-query.ts';
import { KnowledgeList } from '#components/knowledge/knowledge-list.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { loadKnowledgeBases } from '#lib/features/knowledge/loaders.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';

export const metadata: Metadata = { title: 'Knowledge' };

export default async function KnowledgePage({
  params,
  searchParams,
}: {
  params: Promise<{ workspaceId: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const { workspaceId } = await params;
  const query = readKnowledgeListQuery(await searchParams);
  const page = await loadKnowledgeBases(workspaceId, query);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(knowledgeQueries.list(workspaceId, query).queryKey, page);
      }}
    >
      <Page>
        <KnowledgeList />
      </Page>
    </Hydrated>
  );
}
