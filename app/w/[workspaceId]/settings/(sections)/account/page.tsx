import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { AccountView } from '#components/settings/account-view.tsx';
import { loadMe, loadSessions } from '#lib/features/profile/loaders.ts';
import { profileQueries } from '#lib/features/profile/queries.ts';

export const metadata: Metadata = { title: 'Your account' };

export default async function AccountPage() {
  const [me, sessions] = await Promise.all([loadMe(), loadSessions()]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(profileQueries.me().queryKey, me);
        client.setQueryData(profileQueries.sessions().queryKey, sessions);
      }}
    >
      <AccountView />
    </Hydrated>
  );
}
