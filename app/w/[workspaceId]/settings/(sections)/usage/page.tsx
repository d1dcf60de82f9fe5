import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { UsageView } from '#components/settings/usage-view.tsx';
import { loadUsage, loadWorkspace } from '#lib/features/workspaces/loaders.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';

export const metadata: Metadata = { title: 'Usage' };

export default async function UsagePage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const [usage, workspace] = await Promise.all([loadUsage(workspaceId), loadWorkspace(workspaceId)]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(workspaceQueries.usage(workspaceId).queryKey, usage);
        client.setQueryData(workspaceQueries.settings(workspaceId).queryKey, workspace);
      }}
    >
      <UsageView />
    </Hydrated>
  );
}
