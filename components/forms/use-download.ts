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
  filename: string;
};

/** Saves what an operation answers as a file. A plain link cannot: it would not say which workspace is meant. */
export function useDownload() {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const [isPending, setIsPending] = useState(false);
  const start = ({ operation, filename, ...address }: Download) => {
    setIsPending(true);
    fetchBlob(operationUrl(operation, address), workspaceId)
      .then((blob) => saveBlob(blob, filename))
      .catch((error: unknown) => toast({ title: describeFailure(error), tone: 'danger' }))
      .finally(() => setIsPending(false));
  };
  return { start, isPending };
}

async function fetchBlob(url: string, workspaceId: string): Promise<Blob> {
  const response = await fetch(url, { headers: { 'x-workspace-id': workspaceId } });
  if (!response.ok) throw toApiError(response.status, await response.json().catch(() => undefined));
  return response.blob();
}

function saveBlob(blob: Blob, filename: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = filename;
  link.click();
  // The browser has taken hold of the blob by the time the next task runs.
  setTimeout(() => URL.revokeObjectURL(link.href), 0);
}
