import { Page } from '#components/ui/page-header.tsx';
import { Skeleton, TableSkeleton } from '#components/ui/skeleton.tsx';

export default function WorkspaceLoadingPage() {
  return (
    <Page>
      <Skeleton className="h-7 w-48" />
      <TableSkeleton label="Loading" />
    </Page>
  );
}
