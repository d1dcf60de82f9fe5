import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { CallingForm } from '#components/settings/calling-form.tsx';
import { loadWorkspace } from '#lib/features/workspaces/loaders.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';

export const metadata: Metadata = { title: 'Calling' };

export default async function CallingPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const workspace = await loadWorkspace(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(workspaceQueries.settings(workspaceId).queryKey, workspace);
      }}
    >
      <CallingForm />
    </Hydrated>
  );
}
