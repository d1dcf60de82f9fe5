import { Hydrated } from '#components/layout/hydrated.tsx';
import { VersionList } from '#components/versions/version-list.tsx';
import { loadVersions } from '#lib/features/publishing/history/loaders.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function VersionsPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const first = await loadVersions(workspaceId, agentId);
  return (
    <Hydrated
      fill={(client) =>
        client.setQueryData(versionQueries.list(workspaceId, agentId).queryKey, {
          pages: [first],
          pageParams: [null],
        })
      }
    >
      <VersionList agentId={agentId} />
    </Hydrated>
  );
}
