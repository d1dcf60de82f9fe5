'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { countOf } from './count-of.ts';
import { sendFile, type UploadedDocument } from './send-file.ts';
import { nextUploads, refusalOf, startable, type Upload, type UploadEvent } from './upload-queue.ts';

/** Uploads many files, two at a time, each with its own progress and result; the documents list follows. */
export function useUploads(workspaceId: string, knowledgeBaseId: string) {
  const queryClient = useQueryClient();
  const [uploads, dispatch] = useReducer(nextUploads, []);
  const keys = useRef(0);
  const cancels = useRef(new Map<number, AbortController>());

  useEffect(() => {
    for (const upload of startable(uploads)) {
      if (cancels.current.has(upload.key)) continue;
      const cancel = new AbortController();
      cancels.current.set(upload.key, cancel);
      dispatch({ kind: 'started', key: upload.key });
      void run(upload, { workspaceId, knowledgeBaseId, signal: cancel.signal, dispatch }).then(() =>
        Promise.all([
          queryClient.invalidateQueries({
            queryKey: knowledgeQueries.overview(workspaceId, knowledgeBaseId).queryKey,
          }),
          queryClient.invalidateQueries({ queryKey: [...knowledgeQueries.root(workspaceId), 'list'] }),
        ]),
      );
    }
  }, [uploads, workspaceId, knowledgeBaseId, queryClient]);

  const add = (files: Iterable<File>) => {
    const added = [...files].map((file): Upload => {
      keys.current += 1;
      const refusal = refusalOf(file);
      const upload = { key: keys.current, file, fraction: 0 };
      return refusal ? { ...upload, phase: 'failed', result: refusal } : { ...upload, phase: 'waiting' };
    });
    dispatch({ kind: 'added', uploads: added });
  };

  const cancel = (key: number) => {
    cancels.current.get(key)?.abort();
    dispatch({ kind: 'ended', key, phase: 'cancelled', result: 'Cancelled', mayRetry: true });
  };

  const retry = (key: number) => {
    cancels.current.delete(key);
    dispatch({ kind: 'retried', key });
  };

  return { uploads, add, cancel, retry, clear: () => dispatch({ kind: 'cleared' }) };
}

async function run(
  upload: Upload,
  given: {
    workspaceId: string;
    knowledgeBaseId: string;
    signal: AbortSignal;
    dispatch: (event: UploadEvent) => void;
  },
): Promise<void> {
  const { dispatch, ...target } = given;
  const { key, file } = upload;
  try {
    const onSent = (fraction: number) => dispatch({ kind: 'sent', key, fraction });
    const document = await sendFile({ ...target, file, onSent });
    dispatch({ kind: 'ended', key, ...outcomeOf(document) });
  } catch (error) {
    dispatch({
      kind: 'ended',
      key,
      phase: given.signal.aborted ? 'cancelled' : 'failed',
      result: describeFailure(error),
      mayRetry: true,
    });
  }
}

function outcomeOf(document: UploadedDocument): { phase: 'completed' | 'failed'; result: string } {
  if (document.status === 'FAILED')
    return { phase: 'failed', result: document.errorMessage ?? 'It could not be read.' };
  return { phase: 'completed', result: `${countOf(document.chunkCount ?? 0, 'chunk')} indexed` };
}
