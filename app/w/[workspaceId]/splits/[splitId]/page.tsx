import { Hydrated } from '#components/layout/hydrated.tsx';
import { SplitView } from '#components/splits/split-view.tsx';
import { versionName } from '#components/versions/wording.ts';
import { loadSplit } from '#lib/features/publishing/splits/loaders.ts';
import { splitQueries } from '#lib/features/publishing/splits/queries.ts';

type Props = { params: Promise<{ workspaceId: string; splitId: string }> };

export async function generateMetadata({ params }: Props) {
  const { workspaceId, splitId } = await params;
  const split = await loadSplit(workspaceId, splitId);
  return { title: `Split with ${versionName(split.version).toLowerCase()} of ${split.agentName}` };
}

export default async function SplitPage({ params }: Props) {
  const { workspaceId, splitId } = await params;
  const split = await loadSplit(workspaceId, splitId);
  return (
    <Hydrated
      fill={(client) => client.setQueryData(splitQueries.results(workspaceId, splitId).queryKey, split)}
    >
      <SplitView splitId={splitId} />
    </Hydrated>
  );
}
