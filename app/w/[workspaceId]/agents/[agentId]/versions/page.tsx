import { Hydrated } from '#components/layout/hydrated.tsx';
import { VersionList } from '#components/versions/version-list.tsx';
import { loadVersions } from '#lib/features/publishing/history/loaders.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';
import { loadSplits } from '#lib/features/publishing/splits/loaders.ts';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';

export const metadata = { title: 'Versions' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function VersionsPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const [first, splits] = await Promise.all([
    loadVersions(workspaceId, agentId),
    loadSplits(workspaceId, agentId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(versionQueries.list(workspaceId, agentId).queryKey, {
          pages: [first],
          pageParams: [null],
        });
        client.setQueryData(splitQueries.list(workspaceId, agentId).queryKey, splits);
      }}
    >
      <VersionList agentId={agentId} />
    </Hydrated>
  );
}
