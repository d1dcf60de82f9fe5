'use client';

import { createContext, useContext, useEffect, type ReactNode } from 'react';

declare global {
  // Read by the scroll lock under dialogs and menus, which writes a style element of its own.
  var __webpack_nonce__: string | undefined;
}

const NonceContext = createContext<string | undefined>(undefined);

/** Hands the page's Content-Security-Policy nonce to the parts that write style elements. */
export function NonceProvider({ nonce, children }: { nonce: string | undefined; children: ReactNode }) {
  useEffect(() => {
    globalThis.__webpack_nonce__ = nonce;
  }, [nonce]);
  return <NonceContext value={nonce}>{children}</NonceContext>;
}

export function useNonce(): string | undefined {
  return useContext(NonceContext);
}
