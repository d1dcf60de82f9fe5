import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { TagsView } from '#components/settings/tags-view.tsx';
import { loadTags } from '#lib/features/tags/loaders.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';

export const metadata: Metadata = { title: 'Tags' };

export default async function TagsPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const tags = await loadTags(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(tagQueries.list(workspaceId).queryKey, tags);
      }}
    >
      <TagsView />
    </Hydrated>
  );
}
