'use client';

import { useQuery } from '@tanstack/react-query';
import { usePathname } from 'next/navigation';
import { BookText, Search } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';
import { Kbd } from '#components/ui/code-block.tsx';
import { Link } from '#components/ui/link.tsx';
import { overviewQueries } from '#lib/features/overview/queries.ts';
import { navigationFor, workspacePath } from './navigation.ts';
import { UserMenu, type SignedInUser } from './user-menu.tsx';
import { useWorkspace, type WorkspaceSummary } from './workspace-context.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';

type SidebarProps = {
  user: SignedInUser;
  workspaces: readonly WorkspaceSummary[];
  onSearch: () => void;
  onNavigate?: () => void;
};

const ITEM =
  'focus-inset flex h-8 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium text-ink-muted transition-colors hover:bg-hover hover:text-ink pointer-coarse:h-11 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-subtle';

/** What the fixed column of a wide screen and the drawer of a narrow one have in common. */
export function SidebarContent({ user, workspaces, onSearch, onNavigate }: SidebarProps) {
  const workspace = useWorkspace();
  const pathname = usePathname();
  return (
    <div className="flex h-full min-h-0 flex-col">
      <div className="p-3 pb-2">
        <WorkspaceSwitcher workspaces={workspaces} />
      </div>
      <div className="px-3 pb-2">
        <button
          type="button"
          onClick={onSearch}
          className={classNames(ITEM, 'w-full border border-line bg-surface text-ink-subtle shadow-xs')}
        >
          <Search aria-hidden="true" />
          <span className="flex-1 text-left font-normal">Go to…</span>
          <span className="flex gap-0.5 pointer-coarse:hidden" aria-hidden="true">
            <Kbd>Ctrl</Kbd>
            <Kbd>K</Kbd>
          </span>
        </button>
      </div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-3 py-1">
        <ul className="flex flex-col gap-0.5">
          {navigationFor(workspace.role).map((item) => {
            const href = workspacePath(workspace.id, item.path);
            const isHere = pathname === href || pathname.startsWith(`${href}/`);
            return (
              <li key={item.path}>
                <Link
                  href={href}
                  aria-current={isHere ? 'page' : undefined}
                  {...(onNavigate ? { onClick: onNavigate } : {})}
                  className={classNames(
                    ITEM,
                    'aria-[current=page]:bg-hover aria-[current=page]:text-ink aria-[current=page]:[&_svg]:text-accent-text',
                  )}
                >
                  <item.icon aria-hidden="true" />
                  {item.label}
                  {item.path === 'conversations' ? <AssignedToMe /> : null}
                </Link>
              </li>
            );
          })}
        </ul>
      </nav>
      <div className="flex flex-col gap-0.5 border-t border-line p-3">
        <a href="/docs" target="_blank" rel="noreferrer" className={ITEM}>
          <BookText aria-hidden="true" />
          API reference
          <span className="sr-only">(opens in a new tab)</span>
        </a>
        <UserMenu user={user} />
        <p className="px-2.5 pt-1 text-xs text-ink-subtle">
          Times of {workspace.timeZone.replaceAll('_', ' ')}
        </p>
      </div>
    </div>
  );
}

/** How many conversations colleagues have given to this person, and wait for them. */
function AssignedToMe() {
  const workspace = useWorkspace();
  const { data } = useQuery(overviewQueries.assigned(workspace.id));
  if (!data) return null;
  const { count } = data;
  return (
    <span
      title={`${count} assigned to you`}
      className="ml-auto rounded-full bg-accent-soft px-1.5 text-xs font-semibold text-accent-text"
    >
      {count}
      <span className="sr-only"> assigned to you</span>
    </span>
  );
}
