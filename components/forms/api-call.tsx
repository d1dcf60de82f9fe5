'use client';

import { useSyncExternalStore } from 'react';
import { Terminal } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock, InlineCode } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import type { Operation } from '#lib/http/operation.ts';
import { curlText } from './curl-text.ts';

type ApiCallProps = {
  operation: Operation;
  params?: Record<string, string>;
  /** Read when the dialog opens, so that it shows what the form would send now. */
  body?: () => unknown;
};

/** "The API call that does the same", copy-ready. */
export function ApiCallButton({ operation, params, body }: ApiCallProps) {
  return (
    <Dialog
      size="lg"
      title="The same over the API"
      description={
        <>
          Run this from your own system. Put a key from Settings, API keys into{' '}
          <InlineCode>CALLWRIGHT_API_KEY</InlineCode> first.
        </>
      }
      trigger={
        <Button variant="ghost">
          <Terminal aria-hidden="true" />
          API call
        </Button>
      }
    >
      <ApiCall operation={operation} {...(params ? { params } : {})} {...(body ? { body } : {})} />
    </Dialog>
  );
}

export function ApiCall({ operation, params, body }: ApiCallProps) {
  const origin = useOrigin();
  const sent = body?.();
  const code = curlText(operation, {
    origin,
    ...(params ? { params } : {}),
    ...(sent === undefined ? {} : { body: sent }),
  });
  return <CodeBlock code={code} label="API call" />;
}

const subscribeNever = () => () => undefined;

/** The address of this installation as the browser sees it; a placeholder while the page is rendered on the server. */
function useOrigin(): string {
  return useSyncExternalStore(
    subscribeNever,
    () => window.location.origin,
    () => 'https://your-callwright',
  );
}
