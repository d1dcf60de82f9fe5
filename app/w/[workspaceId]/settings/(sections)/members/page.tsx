import type { Metadata } from 'next';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { MembersView } from '#components/settings/members-view.tsx';
import { loadMembers } from '#lib/features/members/loaders.ts';
import { memberQueries } from '#lib/features/members/queries.ts';
import { loadMe } from '#lib/features/profile/loaders.ts';
import { profileQueries } from '#lib/features/profile/queries.ts';

export const metadata: Metadata = { title: 'Members' };

export default async function MembersPage({ params }: { params: Promise<{ workspaceId: string }> }) {
  const { workspaceId } = await params;
  const [members, me] = await Promise.all([loadMembers(workspaceId), loadMe()]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(memberQueries.list(workspaceId).queryKey, members);
        client.setQueryData(profileQueries.me().queryKey, me);
      }}
    >
      <MembersView />
    </Hydrated>
  );
}
