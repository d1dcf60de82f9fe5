import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { NotAllowed } from '#components/layout/not-allowed.tsx';
import { NumberSetup } from '#components/settings/number-setup.tsx';
import { loadNumbers, loadNumberSetup } from '#lib/features/numbers/loaders.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';

export const metadata: Metadata = { title: 'Set up numbers' };

export default async function NumberSetupPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const [numbers, setup] = await Promise.all([loadNumbers(workspaceId), loadNumberSetup(workspaceId)]);
  if (!setup) return <NotAllowed what="Setting up numbers" needs="admin" />;
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(numberQueries.list(workspaceId).queryKey, numbers);
        client.setQueryData(numberQueries.setup(workspaceId).queryKey, setup);
      }}
    >
      <NumberSetup />
    </Hydrated>
  );
}
