import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { ApiKeys } from '#components/settings/api-keys.tsx';
import { loadKeys } from '#lib/features/keys/loaders.ts';
import { keyQueries } from '#lib/features/keys/queries.ts';

export const metadata: Metadata = { title: 'API keys' };

export default async function ApiKeysPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const keys = await loadKeys(workspaceId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(keyQueries.list(workspaceId).queryKey, keys);
      }}
    >
      <ApiKeys />
    </Hydrated>
  );
}
