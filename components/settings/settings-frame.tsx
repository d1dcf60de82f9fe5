'use client';

import type { ReactNode } from 'react';
import { workspacePath } from '#components/layout/navigation.ts';
import { SectionNav } from '#components/layout/section-nav.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { Page, PageHeader } from '#components/ui/page-header.tsx';

const SECTIONS = [
  { path: '', label: 'Workspace' },
  { path: '/usage', label: 'Usage' },
  { path: '/keys', label: 'API keys' },
  { path: '/members', label: 'Members' },
  { path: '/numbers', label: 'Numbers' },
  { path: '/tags', label: 'Tags' },
  { path: '/account', label: 'Your account' },
  { path: '/audit', label: 'Audit log', isForAdmins: true },
];

export function SettingsFrame({ children }: { children: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const mayManage = useMayManage();
  const base = workspacePath(workspaceId, 'settings');
  return (
    <Page>
      <PageHeader title="Settings" />
      <SectionNav
        label="Settings"
        base={base}
        sections={SECTIONS.filter((section) => mayManage || !section.isForAdmins)}
      />
      {children}
    </Page>
  );
}
