'use client';

import { useRouter } from 'next/navigation';
import { ChevronsUpDown } from 'lucide-react';
import { DropdownMenu, MenuLabel, MenuRadioGroup } from '#components/ui/dropdown-menu.tsx';
import { LogoMark } from './logo.tsx';
import { workspacePath } from './navigation.ts';
import { useWorkspace, type WorkspaceSummary } from './workspace-context.tsx';

export function WorkspaceSwitcher({ workspaces }: { workspaces: readonly WorkspaceSummary[] }) {
  const workspace = useWorkspace();
  const router = useRouter();
  return (
    <DropdownMenu
      align="start"
      className="w-56"
      trigger={
        <button
          type="button"
          className="focus-inset flex h-10 w-full items-center gap-2.5 rounded-md px-1.5 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover"
        >
          <LogoMark />
          <span className="sr-only">Switch workspace, now</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm leading-4 font-semibold text-ink">{workspace.name}</span>
            <span className="block text-2xs leading-4 text-ink-subtle capitalize">{workspace.role}</span>
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-subtle" />
        </button>
      }
    >
      <MenuLabel>Workspaces</MenuLabel>
      <MenuRadioGroup
        value={workspace.id}
        onValueChange={(id) => router.push(workspacePath(id, 'conversations'))}
        options={workspaces.map((each) => ({ value: each.id, label: each.name }))}
      />
    </DropdownMenu>
  );
}
