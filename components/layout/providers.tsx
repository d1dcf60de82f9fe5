'use client';

import { useState, type ReactNode } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { ThemeProvider } from 'next-themes';
import { ConflictProvider } from '#components/forms/conflict-dialog.tsx';
import { NonceProvider } from '#components/ui/nonce.tsx';
import { ToastProvider } from '#components/ui/toast.tsx';
import { TooltipProvider } from '#components/ui/tooltip.tsx';
import { ApiError } from '#lib/http/client.ts';

/** What every page stands on: theme, the page's nonce, server data, tooltips, toasts. */
export function Providers({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  // The document keeps the policy it came with; a refreshed layout arrives with a nonce that it does not know.
  const [pageNonce] = useState(nonce);
  return (
    <NonceProvider nonce={pageNonce}>
      <ThemeProvider
        attribute="class"
        defaultTheme="system"
        enableSystem
        // That takes a style element, which a page without a nonce may not have.
        {...(pageNonce ? { nonce: pageNonce, disableTransitionOnChange: true } : {})}
      >
        <QueryClientProvider client={queryClient}>
          <TooltipProvider delayDuration={300}>
            <ToastProvider>
              <ConflictProvider>{children}</ConflictProvider>
            </ToastProvider>
          </TooltipProvider>
        </QueryClientProvider>
      </ThemeProvider>
    </NonceProvider>
  );
}

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // Pages arrive with their data; asking again within seconds of that would be wasted.
        staleTime: 15_000,
        retry: (failures, error) => failures < 2 && !(error instanceof ApiError && error.status < 500),
      },
    },
  });
}
