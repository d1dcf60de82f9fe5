'use client';

import { useCallback, useState, type ReactNode } from 'react';
import { usePathname } from 'next/navigation';
import * as RadixDialog from '@radix-ui/react-dialog';
import { Menu, X } from 'lucide-react';
import { ModelHealthBanner } from '#components/conversations/model-health-banner.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { TimeZoneProvider } from '#components/ui/time-zone.tsx';
import { WebhookHealthBanner } from '#components/webhooks/webhook-health-banner.tsx';
import { Logo } from './logo.tsx';
import { workspacePath } from './navigation.ts';
import { NavigationState } from './navigation-state.tsx';
import { QuickNavigation } from './quick-navigation.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { SidebarContent } from './sidebar.tsx';
import type { SignedInUser } from './user-menu.tsx';
import { WorkspaceProvider, type WorkspaceSummary } from './workspace-context.tsx';

type AppShellProps = {
  user: SignedInUser;
  workspace: WorkspaceSummary;
  workspaces: readonly WorkspaceSummary[];
  children: ReactNode;
};

/** Sidebar on a wide screen, a bar with a drawer on a narrow one, and the page beside or below it. */
export function AppShell({ user, workspace, workspaces, children }: AppShellProps) {
  const [isDrawerOpen, setIsDrawerOpen] = useState(false);
  const [isSearchOpen, setIsSearchOpen] = useState(false);
  const openSearch = useCallback(() => {
    setIsDrawerOpen(false);
    setIsSearchOpen(true);
  }, []);
  const sidebar = { user, workspaces, onSearch: openSearch };
  return (
    <WorkspaceProvider workspace={workspace}>
      <TimeZoneProvider timeZone={workspace.timeZone}>
        <SignInAgain email={user.email} />
        <NavigationState />
        <a
          href="#main"
          className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-sm font-medium text-accent-contrast focus:translate-y-0"
        >
          Skip to content
        </a>
        <div className="lg:grid lg:grid-cols-[15rem_minmax(0,1fr)]">
          <aside
            aria-label="Sidebar"
            className="sticky top-0 hidden h-dvh border-r border-line bg-sunken lg:block"
          >
            <SidebarContent {...sidebar} />
          </aside>
          <div className="min-w-0">
            <header className="sticky top-0 z-30 flex h-14 items-center gap-2 border-b border-line bg-canvas px-2 sm:px-4 lg:hidden">
              <RadixDialog.Root open={isDrawerOpen} onOpenChange={setIsDrawerOpen}>
                <RadixDialog.Trigger asChild>
                  <IconButton label="Open menu" icon={<Menu aria-hidden="true" />} size="lg" />
                </RadixDialog.Trigger>
                <RadixDialog.Portal>
                  <RadixDialog.Overlay className="fixed inset-0 z-40 bg-scrim data-[state=open]:animate-fade-in" />
                  <RadixDialog.Content
                    aria-describedby={undefined}
                    className="fixed inset-y-0 left-0 z-50 w-72 max-w-[85vw] bg-sunken shadow-dialog focus-visible:outline-none data-[state=open]:animate-drawer-in"
                  >
                    <RadixDialog.Title className="sr-only">Menu</RadixDialog.Title>
                    <SidebarContent {...sidebar} onNavigate={() => setIsDrawerOpen(false)} />
                    <RadixDialog.Close asChild>
                      <IconButton
                        label="Close menu"
                        icon={<X aria-hidden="true" />}
                        className="absolute top-3 -right-12 bg-raised shadow-pop"
                      />
                    </RadixDialog.Close>
                  </RadixDialog.Content>
                </RadixDialog.Portal>
              </RadixDialog.Root>
              <Logo />
            </header>
            <main id="main" tabIndex={-1} className="focus-visible:outline-none">
              <Banners workspaceId={workspace.id} />
              {children}
            </main>
          </div>
        </div>
        <QuickNavigation workspaces={workspaces} isOpen={isSearchOpen} onOpenChange={setIsSearchOpen} />
      </TimeZoneProvider>
    </WorkspaceProvider>
  );
}

/** What somebody has to act on, above every page but the overview, which has a list of it. */
function Banners({ workspaceId }: { workspaceId: string }) {
  if (usePathname() === workspacePath(workspaceId, 'overview')) return null;
  return (
    <>
      <ModelHealthBanner />
      <WebhookHealthBanner />
    </>
  );
}
