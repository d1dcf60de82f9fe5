'use client';

import { createContext, useContext, type ReactNode } from 'react';
import type { Role } from '#lib/auth/actor.ts';

export type WorkspaceSummary = {
  id: string;
  name: string;
  role: Role;
  /** By whose clock every time is shown. */
  timeZone: string;
};

const WorkspaceContext = createContext<WorkspaceSummary | null>(null);

export function WorkspaceProvider({
  workspace,
  children,
}: {
  workspace: WorkspaceSummary;
  children: ReactNode;
}) {
  return <WorkspaceContext value={workspace}>{children}</WorkspaceContext>;
}

/** The workspace of the page, with the signed-in person's role in it. */
export function useWorkspace(): WorkspaceSummary {
  const workspace = useContext(WorkspaceContext);
  if (!workspace) throw new Error('useWorkspace needs a WorkspaceProvider above it');
  return workspace;
}
