'use client';

import { SearchX } from 'lucide-react';
import { buttonClasses } from '#components/ui/button.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { Page } from '#components/ui/page-header.tsx';
import { workspacePath } from './navigation.ts';
import { useWorkspace } from './workspace-context.tsx';

/** In place of a page whose address names nothing of the workspace, with the way back into it. */
export function NotInWorkspace() {
  const { id: workspaceId } = useWorkspace();
  return (
    <Page width="narrow">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={<SearchX />}
        title="Not in this workspace"
        description="What this address led to was deleted, or belongs to another workspace."
        actions={
          <Link href={workspacePath(workspaceId, 'conversations')} className={buttonClasses()}>
            Go to the conversations
          </Link>
        }
      />
    </Page>
  );
}
