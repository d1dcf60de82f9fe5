import { Hydrated } from '#components/layout/hydrated.tsx';
import { VersionView } from '#components/versions/version-view.tsx';
import { versionName } from '#components/versions/wording.ts';
import { loadVersion, loadVersions } from '#lib/features/publishing/history/loaders.ts';
import { versionQueries } from '#lib/features/publishing/history/queries.ts';

type Props = { params: Promise<{ workspaceId: string; versionId: string }> };

export async function generateMetadata({ params }: Props) {
  const { workspaceId, versionId } = await params;
  const version = await loadVersion(workspaceId, versionId);
  return { title: `${versionName(version)} of ${version.agentName}` };
}

export default async function VersionPage({ params }: Props) {
  const { workspaceId, versionId } = await params;
  const version = await loadVersion(workspaceId, versionId);
  const first = await loadVersions(workspaceId, version.agentId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(versionQueries.detail(workspaceId, versionId).queryKey, version);
        client.setQueryData(versionQueries.list(workspaceId, version.agentId).queryKey, {
          pages: [first],
          pageParams: [null],
        });
      }}
    >
      <VersionView versionId={versionId} />
    </Hydrated>
  );
}
