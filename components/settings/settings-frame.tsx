'use client';

import Link from 'next/link';
import { usePathname } from 'next/navigation';
import type { ReactNode } from 'react';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { Page, PageHeader } from '#components/ui/page-header.tsx';
import { TAB_LINK_CLASSES } from '#components/ui/tabs.tsx';

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
  const pathname = usePathname();
  const mayManage = useMayManage();
  const base = workspacePath(workspaceId, 'settings');
  return (
    <Page>
      <PageHeader title="Settings" />
      <nav aria-label="Settings" className="scroll-x -mx-4 flex gap-5 border-b border-line px-4 sm:mx-0 sm:px-0">
        {SECTIONS.filter((section) => mayManage || !section.isForAdmins).map((section) => {
          const href = `${base}${section.path}`;
          return (
            <Link key={section.path} href={href} aria-current={pathname === href ? 'page' : undefined} className={TAB_LINK_CLASSES}>
              {section.label}
            </Link>
          );
        })}
      </nav>
      {children}
    </Page>
  );
}
