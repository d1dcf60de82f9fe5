import { SearchX } from 'lucide-react';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Page } from '#components/ui/page-header.tsx';

export default function WorkspaceNotFoundPage() {
  return (
    <Page width="narrow">
      <h1 className="sr-only">Not found</h1>
      <EmptyState
        icon={<SearchX />}
        title="Not in this workspace"
        description="What this address led to was deleted, or belongs to another workspace."
      />
    </Page>
  );
}
