'use client';

import type { ReactNode } from 'react';
import { Command } from 'cmdk';
import { Dialog as RadixDialog } from 'radix-ui';
import { Search } from 'lucide-react';
import { Kbd } from './code-block.tsx';
import { useReturnOfFocus } from './dialog.tsx';

export type CommandEntry = {
  id: string;
  label: string;
  group: string;
  icon?: ReactNode;
  keywords?: string[];
  hint?: string;
  onSelect: () => void;
};

type CommandPaletteProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  entries: readonly CommandEntry[];
  label: string;
};

/** A list of everything one can go to or do, found by typing. */
export function CommandPalette({ isOpen, onOpenChange, entries, label }: CommandPaletteProps) {
  const focus = useReturnOfFocus(false);
  const groups = [...new Set(entries.map((entry) => entry.group))];
  return (
    <RadixDialog.Root open={isOpen} onOpenChange={onOpenChange}>
      <RadixDialog.Portal>
        <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade-in" />
        <RadixDialog.Content
          aria-describedby={undefined}
          {...focus}
          className="fixed top-[12vh] left-1/2 z-50 w-[calc(100vw-2rem)] max-w-lg -translate-x-1/2 overflow-hidden rounded-xl bg-raised shadow-dialog focus-visible:outline-none data-[state=open]:animate-fade-in"
        >
          <RadixDialog.Title className="sr-only">{label}</RadixDialog.Title>
          <Command label={label} loop>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search aria-hidden="true" className="size-4 text-ink-subtle" />
              <Command.Input
                placeholder="Go to…"
                className="h-12 min-w-0 flex-1 bg-transparent text-base text-ink outline-none pointer-coarse:text-lg"
              />
              <Kbd>esc</Kbd>
            </div>
            <Command.List className="max-h-[min(28rem,60vh)] overflow-y-auto p-1.5">
              <Command.Empty className="px-3 py-8 text-center text-sm text-ink-subtle">
                Nothing found.
              </Command.Empty>
              {groups.map((group) => (
                <Command.Group
                  key={group}
                  heading={group}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-subtle"
                >
                  {entries
                    .filter((entry) => entry.group === group)
                    .map((entry) => (
                      <Command.Item
                        key={entry.id}
                        value={`${entry.label} ${entry.id}`}
                        keywords={entry.keywords ?? []}
                        onSelect={() => {
                          onOpenChange(false);
                          entry.onSelect();
                        }}
                        className="flex h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 text-sm text-ink data-[selected=true]:bg-hover pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:text-ink-subtle"
                      >
                        {entry.icon}
                        <span className="min-w-0 flex-1 truncate">{entry.label}</span>
                        {entry.hint ? <span className="text-xs text-ink-subtle">{entry.hint}</span> : null}
                      </Command.Item>
                    ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}
