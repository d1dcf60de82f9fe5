'use client';

import { useMemo, useState } from 'react';
import { useRouter } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { useTheme } from 'next-themes';
import { Bookmark, BookText, Building2, Moon, Settings, Sun } from 'lucide-react';
import { CommandPalette, type CommandEntry } from '#components/ui/command.tsx';
import { viewPath } from '#components/views/view-query.ts';
import { savedViewQueries } from '#lib/features/saved-views/queries.ts';
import { navigationFor, SETTINGS_SECTIONS, workspacePath } from './navigation.ts';
import { useFoundEntries } from './use-found-entries.tsx';
import { useMayManage } from './use-may-manage.ts';
import { useWorkspace, type WorkspaceSummary } from './workspace-context.tsx';

export type QuickNavigationProps = {
  workspaces: readonly WorkspaceSummary[];
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
};

/** Every page and workspace by a few letters, and what the workspace has by name or number. */
export function QuickNavigationPalette({ workspaces, isOpen, onOpenChange }: QuickNavigationProps) {
  const [query, setQuery] = useState('');
  const { found, search } = useFoundEntries(query);
  const entries = [...usePlaceEntries(workspaces), ...useViewEntries(isOpen)];
  const change = (isNowOpen: boolean) => {
    if (!isNowOpen) setQuery('');
    onOpenChange(isNowOpen);
  };
  return (
    <CommandPalette
      isOpen={isOpen}
      onOpenChange={change}
      label="Go to"
      placeholder="Go to a page, an agent, a number…"
      query={query}
      onQueryChange={setQuery}
      entries={entries}
      found={found}
      search={search}
    />
  );
}

/** Every page, settings section and other workspace, and what can be done from anywhere. */
function usePlaceEntries(workspaces: readonly WorkspaceSummary[]): CommandEntry[] {
  const workspace = useWorkspace();
  const router = useRouter();
  const { setTheme } = useTheme();
  const mayManage = useMayManage();
  return useMemo<CommandEntry[]>(
    () => [
      ...navigationFor(workspace.role)
        .filter((item) => item.path !== 'settings')
        .map((item) => ({
          id: item.path,
          label: item.label,
          group: 'Pages',
          icon: <item.icon aria-hidden="true" />,
          keywords: item.keywords,
          onSelect: () => router.push(workspacePath(workspace.id, item.path)),
        })),
      ...SETTINGS_SECTIONS.filter((section) => mayManage || !section.isForAdmins).map((section) => ({
        id: `settings${section.path}`,
        label: section.label,
        group: 'Settings',
        icon: <Settings aria-hidden="true" />,
        keywords: ['settings', ...section.keywords],
        onSelect: () => router.push(workspacePath(workspace.id, `settings${section.path}`)),
      })),
      ...workspaces
        .filter((each) => each.id !== workspace.id)
        .map((each) => ({
          id: each.id,
          label: each.name,
          group: 'Workspaces',
          icon: <Building2 aria-hidden="true" />,
          onSelect: () => router.push(workspacePath(each.id, 'conversations')),
        })),
      ...actionEntries(setTheme),
    ],
    [workspace, workspaces, mayManage, router, setTheme],
  );
}

/** The saved views of the list of conversations. */
function useViewEntries(isOpen: boolean): CommandEntry[] {
  const workspace = useWorkspace();
  const router = useRouter();
  const { data = [] } = useQuery({ ...savedViewQueries.list(workspace.id), enabled: isOpen });
  return data.map((view) => ({
    id: `view:${view.id}`,
    label: view.name,
    group: 'Views',
    icon: <Bookmark aria-hidden="true" />,
    keywords: ['view', 'conversations', 'filter'],
    onSelect: () => router.push(viewPath(workspace.id, view.query)),
  }));
}

function actionEntries(setTheme: (theme: string) => void): CommandEntry[] {
  return [
    {
      id: 'docs',
      label: 'API reference',
      group: 'More',
      icon: <BookText aria-hidden="true" />,
      onSelect: () => void window.open('/docs', '_blank', 'noreferrer'),
    },
    {
      id: 'light',
      label: 'Light theme',
      group: 'More',
      icon: <Sun aria-hidden="true" />,
      onSelect: () => setTheme('light'),
    },
    {
      id: 'dark',
      label: 'Dark theme',
      group: 'More',
      icon: <Moon aria-hidden="true" />,
      onSelect: () => setTheme('dark'),
    },
  ];
}
