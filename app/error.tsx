'use client';

import { PageFailure } from '#components/layout/page-failure.tsx';

export default function RootErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center p-6">
      <PageFailure digest={error.digest} onRetry={reset} />
    </main>
  );
}
