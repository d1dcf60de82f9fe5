'use client';

import { Lock } from 'lucide-react';
import { EmptyState } from '#components/ui/empty-state.tsx';
import type { Role } from '#lib/auth/actor.ts';
import { useWorkspace } from './workspace-context.tsx';

/** In place of a page that somebody's role does not reach: what it takes, and who can give it. */
export function NotAllowed({ what, needs }: { what: string; needs: Exclude<Role, 'viewer'> }) {
  const workspace = useWorkspace();
  return (
    <EmptyState
      icon={<Lock />}
      title={`${what} is not for your role`}
      description={`It takes the role ${needs} or higher; yours in ${workspace.name} is ${workspace.role}. An owner can change it under Settings, Members.`}
    />
  );
}
