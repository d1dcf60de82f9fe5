'use client';

import { type ReactNode, useState } from 'react';
import { Command, defaultFilter } from 'cmdk';
import * as RadixDialog from '@radix-ui/react-dialog';
import { Search } from 'lucide-react';
import { Kbd } from './code-block.tsx';
import { useReturnOfFocus } from './dialog.tsx';
import { Spinner } from './spinner.tsx';

export type CommandEntry = {
  id: string;
  label: string;
  group: string;
  icon?: ReactNode;
  keywords?: string[];
  hint?: ReactNode;
  onSelect: () => void;
};

type CommandPaletteProps = {
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  label: string;
  placeholder: string;
  query: string;
  onQueryChange: (query: string) => void;
  /** Offered as far as their words match the query. */
  entries: readonly CommandEntry[];
  /** What a search found for the query: offered as it is, below the entries. */
  found: readonly CommandEntry[];
  search: 'resting' | 'running' | { failure: string };
};

/** A list of everything one can go to or do, found by typing. */
export function CommandPalette({ isOpen, onOpenChange, label, query, ...rest }: CommandPaletteProps) {
  const focus = useReturnOfFocus(false);
  const { placeholder, onQueryChange, search } = rest;
  const shown = [...matchingEntries(rest.entries, query), ...rest.found];
  const [chosen, setChosen] = useState('');
  // What a slow search finds comes after cmdk looked for a first entry: without this, none would be selected then.
  const selected = shown.some(({ id }) => id === chosen) ? chosen : (shown[0]?.id ?? '');
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
          <Command label={label} loop shouldFilter={false} value={selected} onValueChange={setChosen}>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              {search === 'running' ? (
                <Spinner className="size-4 text-ink-subtle" />
              ) : (
                <Search aria-hidden="true" className="size-4 text-ink-subtle" />
              )}
              <Command.Input
                value={query}
                onValueChange={onQueryChange}
                placeholder={placeholder}
                maxLength={200}
                className="h-12 min-w-0 flex-1 bg-transparent text-base text-ink outline-none pointer-coarse:text-lg"
              />
              <Kbd>esc</Kbd>
            </div>
            <Command.List className="max-h-[min(28rem,60vh)] overflow-y-auto p-1.5">
              {groupsOf(shown).map(([group, entries]) => (
                <Command.Group
                  key={group}
                  heading={group}
                  className="[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-ink-subtle"
                >
                  {entries.map((entry) => (
                    <PaletteItem key={entry.id} entry={entry} onClose={() => onOpenChange(false)} />
                  ))}
                </Command.Group>
              ))}
            </Command.List>
            <PaletteState count={shown.length} search={search} />
          </Command>
        </RadixDialog.Content>
      </RadixDialog.Portal>
    </RadixDialog.Root>
  );
}

function PaletteItem({ entry, onClose }: { entry: CommandEntry; onClose: () => void }) {
  return (
    <Command.Item
      value={entry.id}
      onSelect={() => {
        onClose();
        entry.onSelect();
      }}
      className="flex min-h-9 cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-1 text-sm text-ink data-[selected=true]:bg-hover pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-subtle"
    >
      {entry.icon}
      <span className="min-w-0 flex-1 truncate">{entry.label}</span>
      {entry.hint ? (
        <span className="max-w-[55%] shrink-0 truncate text-xs text-ink-subtle">{entry.hint}</span>
      ) : null}
    </Command.Item>
  );
}

/** How the search stands: shown where there is nothing else to see, and announced in any case. */
function PaletteState({ count, search }: { count: number; search: CommandPaletteProps['search'] }) {
  if (typeof search === 'object') {
    return (
      <p role="alert" className="border-t border-line px-4 py-3 text-sm text-danger-text">
        {search.failure}
      </p>
    );
  }
  const words = search === 'running' ? 'Searching…' : count === 0 ? 'Nothing found.' : `${count} found`;
  return (
    <output className={count === 0 ? 'block px-3 pt-4 pb-8 text-center text-sm text-ink-subtle' : 'sr-only'}>
      {words}
    </output>
  );
}

/** The entries whose label or keywords have the query's letters, the best first; all of them where it is empty. */
function matchingEntries(entries: readonly CommandEntry[], query: string): CommandEntry[] {
  if (query.trim() === '') return [...entries];
  return entries
    .map((entry) => ({ entry, score: defaultFilter(entry.label, query, entry.keywords ?? []) }))
    .filter(({ score }) => score > MIN_SCORE)
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry }) => entry);
}

/** Below it the letters only happen to occur in this order: "Robin" in "Recordings about this in…". */
const MIN_SCORE = 0.05;

function groupsOf(entries: readonly CommandEntry[]): [string, CommandEntry[]][] {
  return [...Map.groupBy(entries, (entry) => entry.group)];
}
