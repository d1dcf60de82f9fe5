'use client';

import { useState, useSyncExternalStore } from 'react';
import { useTheme } from 'next-themes';
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun } from 'lucide-react';
import {
  DropdownMenu,
  MenuItem,
  MenuLabel,
  MenuRadioGroup,
  MenuSeparator,
} from '#components/ui/dropdown-menu.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { signOut } from './session-requests.ts';

export type SignedInUser = { name: string; email: string };

const THEMES = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden="true" /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden="true" /> },
  { value: 'system', label: 'Same as system', icon: <Monitor aria-hidden="true" /> },
];

const subscribeNever = () => () => undefined;

/** Signs out, and says so where that fails. */
function useLeaving() {
  const toast = useToast();
  const [isLeaving, setIsLeaving] = useState(false);
  const leave = async () => {
    setIsLeaving(true);
    const hasLeft = await signOut();
    // A full load, so that nothing of the session stays in memory.
    if (hasLeft) window.location.assign('/sign-in');
    else {
      setIsLeaving(false);
      toast({
        tone: 'danger',
        title: 'Could not sign out',
        description: 'Check the connection and try again.',
      });
    }
  };
  return { leave, isLeaving };
}

export function UserMenu({ user }: { user: SignedInUser }) {
  const { theme, setTheme } = useTheme();
  const { leave, isLeaving } = useLeaving();
  // The server does not know the chosen theme; until the browser takes over, none is marked.
  const isInBrowser = useSyncExternalStore(
    subscribeNever,
    () => true,
    () => false,
  );
  return (
    <DropdownMenu
      align="start"
      side="top"
      className="w-56"
      trigger={
        <button
          type="button"
          aria-busy={isLeaving || undefined}
          className="focus-inset flex h-11 w-full items-center gap-2.5 rounded-md px-1.5 text-left transition-colors hover:bg-hover data-[state=open]:bg-hover"
        >
          <span
            aria-hidden="true"
            className="flex size-7 shrink-0 items-center justify-center rounded-full border border-accent-line bg-accent-soft text-xs font-semibold text-accent-text"
          >
            {initials(user.name)}
          </span>
          <span className="sr-only">Account of</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-sm leading-4 font-medium text-ink">{user.name}</span>
            <span className="block truncate text-xs leading-4 text-ink-subtle">{user.email}</span>
          </span>
          <ChevronsUpDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-subtle" />
        </button>
      }
    >
      <MenuLabel>Theme</MenuLabel>
      <MenuRadioGroup
        value={isInBrowser ? (theme ?? 'system') : ''}
        onValueChange={setTheme}
        options={THEMES}
      />
      <MenuSeparator />
      <MenuItem onSelect={() => void leave()}>
        <LogOut aria-hidden="true" />
        Sign out
      </MenuItem>
    </DropdownMenu>
  );
}

function initials(name: string): string {
  const words = name.trim().split(/\s+/);
  const first = words[0]?.[0] ?? '?';
  const last = words.length > 1 ? (words.at(-1)?.[0] ?? '') : '';
  return (first + last).toUpperCase();
}
