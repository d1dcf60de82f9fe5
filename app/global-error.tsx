'use client';

import { PageFailure } from '#components/layout/page-failure.tsx';
import './globals.css';

/** When even the root layout failed: no theme and no providers, but words and a way on. */
export default function GlobalErrorPage({
  error,
  reset,
}: {
  error: Error & { digest?: string };
  reset: () => void;
}) {
  return (
    <html lang="en">
      <body>
        <main className="mx-auto flex min-h-dvh max-w-xl flex-col justify-center p-6">
          <PageFailure digest={error.digest} onRetry={reset} />
        </main>
      </body>
    </html>
  );
}
