import type { ReactNode } from 'react';
import { AppShell } from '#components/layout/app-shell.tsx';
import { loadActor, loadUserOrSignIn } from '#lib/auth/loaders.ts';
import { loadWorkspaces } from '#lib/features/workspaces/loaders.ts';
import { notFound } from 'next/navigation';

type WorkspaceLayoutProps = { params: Promise<{ workspaceId: string }>; children: ReactNode };

export default async function WorkspaceLayout({ params, children }: WorkspaceLayoutProps) {
  const { workspaceId } = await params;
  const actor = await loadActor(workspaceId);
  const [user, workspaces] = await Promise.all([loadUserOrSignIn(), loadWorkspaces()]);
  const workspace = workspaces.find((each) => each.id === actor.workspaceId);
  if (!workspace) notFound();
  return (
    <AppShell user={user} workspace={workspace} workspaces={workspaces}>
      {children}
    </AppShell>
  );
}
