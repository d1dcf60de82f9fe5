'use client';

import { useState } from 'react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { operationUrl, toApiError } from '#lib/http/client.ts';
import type { Operation } from '#lib/http/operation.ts';
import { describeFailure } from './server-problems.ts';

type Download = {
  operation: Operation;
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  /** Where the service names none. */
  filename: string;
};

/** Saves what an operation answers as a file. A plain link cannot: it would not say which workspace is meant. */
export function useDownload() {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const [isPending, setIsPending] = useState(false);
  const start = ({ operation, filename, ...address }: Download) => {
    setIsPending(true);
    fetchFile(operationUrl(operation, address), workspaceId)
      .then(({ blob, name }) => saveBlob(blob, name ?? filename))
      .catch((error: unknown) => toast({ title: describeFailure(error), tone: 'danger' }))
      .finally(() => setIsPending(false));
  };
  return { start, isPending };
}

async function fetchFile(
  url: string,
  workspaceId: string,
): Promise<{ blob: Blob; name: string | undefined }> {
  const response = await fetch(url, { headers: { 'x-workspace-id': workspaceId } });
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => undefined));
  const [, name] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { blob: await response.blob(), name: name === undefined ? undefined : decodeURIComponent(name) };
}

function saveBlob(blob: Blob, filename: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = filename;
  link.click();
  // The browser has taken hold of the blob by the time the next task runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
