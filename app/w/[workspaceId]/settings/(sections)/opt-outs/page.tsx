import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { OptOutList } from '#components/settings/opt-out-list.tsx';
import { loadOptOuts } from '#lib/features/opt-outs/loaders.ts';
import { optOutQueries } from '#lib/features/opt-outs/queries.ts';

export const metadata: Metadata = { title: 'Opt-outs' };

export default async function OptOutsPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const page = await loadOptOuts(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(optOutQueries.list(workspaceId, '').queryKey, {
          pages: [page],
          pageParams: [''],
        });
      }}
    >
      <OptOutList />
    </Hydrated>
  );
}
