'use client';

import { PageFailure } from '#components/layout/page-failure.tsx';
import { Page } from '#components/ui/page-header.tsx';

export default function WorkspaceErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <Page width="narrow">
      <PageFailure digest={error.digest} onRetry={reset} />
    </Page>
  );
}
