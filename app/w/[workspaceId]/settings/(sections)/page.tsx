import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { WorkspaceForm } from '#components/settings/workspace-form.tsx';
import { loadWorkspace } from '#lib/features/workspaces/loaders.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';

export const metadata: Metadata = { title: 'Workspace settings' };

export default async function WorkspaceSettingsPage({
  params,
}: {
  params: Promise<{ workspaceId: string }>;
}) {
  const { workspaceId } = await params;
  const workspace = await loadWorkspace(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(workspaceQueries.settings(workspaceId).queryKey, workspace);
      }}
    >
      <WorkspaceForm />
    </Hydrated>
  );
}
