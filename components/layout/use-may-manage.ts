'use client';

import { useWorkspace } from './workspace-context.tsx';

/** Admins and owners manage what the whole workspace depends on. */
export function useMayManage(): boolean {
  const { role } = useWorkspace();
  return role === 'admin' || role === 'owner';
}
