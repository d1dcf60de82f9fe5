'use client';

import { Button } from '#components/ui/button.tsx';
import { ErrorState } from '#components/ui/empty-state.tsx';

/** What an error page shows. The digest leads support to the line in the log. */
export function PageFailure({ digest, onRetry }: { digest: string | undefined; onRetry: () => void }) {
  return (
    <>
      <h1 className="sr-only">Something went wrong</h1>
      <ErrorState
        title="This page could not be shown"
        description={
          <>
            Something failed on our side. Nothing you entered elsewhere is lost; trying again often helps.
            {digest ? <span className="mt-2 block font-mono text-xs">Reference {digest}</span> : null}
          </>
        }
        actions={
          <>
            <Button variant="primary" onClick={onRetry}>
              Try again
            </Button>
            {/* A full load: the failed page's memory is not to be trusted. */}
            <Button onClick={() => window.location.assign('/')}>Go to the dashboard</Button>
          </>
        }
      />
    </>
  );
}
