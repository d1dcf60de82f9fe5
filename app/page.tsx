import { redirect } from 'next/navigation';
import { workspacePath } from '#components/layout/navigation.ts';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { loadUser } from '#lib/auth/loaders.ts';
import { loadWorkspaces } from '#lib/features/workspaces/loaders.ts';

export default async function HomePage() {
  const user = await loadUser();
  if (!user) redirect('/sign-in');
  const [first] = await loadWorkspaces();
  if (first) redirect(workspacePath(first.id, 'overview'));
  return (
    <main className="flex min-h-dvh items-center justify-center p-6">
      <EmptyState
        title="No workspace yet"
        description={`${user.email} is not a member of any workspace. Ask an owner to add this address under Settings, Members.`}
      />
    </main>
  );
}
