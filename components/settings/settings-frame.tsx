'use client';

import type { ReactNode } from 'react';
import { SETTINGS_SECTIONS, workspacePath } from '#components/layout/navigation.ts';
import { SectionNav } from '#components/layout/section-nav.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { Page, PageHeader } from '#components/ui/page-header.tsx';

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
        sections={SETTINGS_SECTIONS.filter((section) => mayManage || !section.isForAdmins)}
      />
      {children}
    </Page>
  );
}
