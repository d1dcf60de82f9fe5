'use client';

import { useSyncExternalStore } from 'react';
import { Terminal } from 'lucide-react';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock, InlineCode } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import type { Operation } from '#lib/http/operation.ts';
import { curlText } from './curl-text.ts';

type ApiCallProps = {
  operation: Operation;
  params?: Record<string, string>;
  /** Read when the dialog opens, so that it shows what the form would send now. */
  body?: () => unknown;
  /** What of the form the API cannot send, as a sentence; read when the dialog opens. */
  except?: () => string | undefined;
};

/** "The API call that does the same", copy-ready. */
export function ApiCallButton({ operation, params, body, except }: ApiCallProps) {
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
      <ApiCall
        operation={operation}
        {...(params ? { params } : {})}
        {...(body ? { body } : {})}
        {...(except ? { except } : {})}
      />
    </Dialog>
  );
}

export function ApiCall({ operation, params, body, except }: ApiCallProps) {
  const origin = useOrigin();
  const sent = body?.();
  const lacking = except?.();
  const isNothing = typeof sent === 'object' && sent !== null && Object.keys(sent).length === 0;
  const code = curlText(operation, {
    origin,
    ...(params ? { params } : {}),
    ...(sent === undefined ? {} : { body: sent }),
  });
  return (
    <div className="flex flex-col gap-3">
      {lacking ? <Notice>{lacking}</Notice> : null}
      {isNothing ? (
        lacking ? null : (
          <p className="text-sm text-ink-muted">Nothing has changed that could be sent.</p>
        )
      ) : (
        <CodeBlock code={code} label="API call" />
      )}
    </div>
  );
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
