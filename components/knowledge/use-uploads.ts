'use client';

import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useReducer, useRef } from 'react';
import { deleteDocument } from '#lib/features/knowledge/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { ApiError, callOperation } from '#lib/http/client.ts';
import { countOf } from './count-of.ts';
import { sendFile, type UploadedDocument } from './send-file.ts';
import {
  type Namesake,
  nextUploads,
  refusalOf,
  startable,
  type Upload,
  type UploadEvent,
} from './upload-queue.ts';

/**
 * Uploads many files, two at a time, each with its own progress and result; the documents list follows. A file of a
 * name that is there waits for what a person says.
 */
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
      void run(upload, { workspaceId, signal: cancel.signal, dispatch }).then(() =>
        Promise.all([
          queryClient.invalidateQueries({
            queryKey: knowledgeQueries.overview(workspaceId, upload.knowledgeBaseId).queryKey,
          }),
          queryClient.invalidateQueries({ queryKey: [...knowledgeQueries.root(workspaceId), 'list'] }),
        ]),
      );
    }
  }, [uploads, workspaceId, queryClient]);

  const add = async (files: Iterable<File>) => {
    const chosen = [...files];
    const namesakesOf = await findNamesakes(queryClient, { workspaceId, knowledgeBaseId });
    const added = chosen.map((file): Upload => {
      keys.current += 1;
      const refusal = refusalOf(file);
      const namesakes = refusal ? [] : namesakesOf(file.name);
      const upload = { key: keys.current, knowledgeBaseId, file, fraction: 0, namesakes };
      if (refusal) return { ...upload, phase: 'failed', result: refusal };
      return { ...upload, phase: namesakes.length > 0 ? 'asking' : 'waiting' };
    });
    dispatch({ kind: 'added', uploads: added });
  };

  const answer = (key: number, isReplacing: boolean) => dispatch({ kind: 'answered', key, isReplacing });

  const cancel = (key: number) => {
    cancels.current.get(key)?.abort();
    dispatch({ kind: 'ended', key, phase: 'cancelled', result: 'Cancelled', mayRetry: true });
  };

  const retry = (key: number) => {
    cancels.current.delete(key);
    dispatch({ kind: 'retried', key });
  };

  return { uploads, add, answer, cancel, retry, clear: () => dispatch({ kind: 'cleared' }) };
}

/** Which documents have a name, asked anew: a colleague may have uploaded one since the page was opened. */
async function findNamesakes(
  queryClient: QueryClient,
  { workspaceId, knowledgeBaseId }: { workspaceId: string; knowledgeBaseId: string },
): Promise<(name: string) => Namesake[]> {
  try {
    const documents = await queryClient.fetchQuery({
      ...knowledgeQueries.documents(workspaceId, knowledgeBaseId),
      staleTime: 0,
    });
    return (name) => documents.filter(({ originalName }) => originalName === name);
  } catch {
    // The upload itself says what is wrong.
    return () => [];
  }
}

async function run(
  upload: Upload,
  given: { workspaceId: string; signal: AbortSignal; dispatch: (event: UploadEvent) => void },
): Promise<void> {
  const { dispatch, ...target } = given;
  const { key, file, knowledgeBaseId } = upload;
  try {
    const onSent = (fraction: number) => dispatch({ kind: 'sent', key, fraction });
    const document = await sendFile({ ...target, knowledgeBaseId, file, onSent });
    const outcome = outcomeOf(document);
    // What cannot be read replaces nothing.
    const replaced = outcome.phase === 'completed' ? await replaceBy(upload, target.workspaceId) : '';
    dispatch({ kind: 'ended', key, ...outcome, result: outcome.result + replaced });
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

/** Deletes what an upload that is ready replaces, and says so. */
async function replaceBy({ namesakes }: Upload, workspaceId: string): Promise<string> {
  if (namesakes.length === 0) return '';
  const what = namesakes.length === 1 ? 'the older one' : `${namesakes.length} older ones`;
  try {
    await Promise.all(
      namesakes.map(({ id }) =>
        callOperation(deleteDocument, { params: { documentId: id } }, { workspaceId }).catch((error) => {
          const isGone = error instanceof ApiError && error.status === 404;
          if (!isGone) throw error;
        }),
      ),
    );
    return `, ${what} deleted`;
  } catch (error) {
    return `, but ${what} could not be deleted: ${describeFailure(error)}`;
  }
}

function outcomeOf(document: UploadedDocument): { phase: 'completed' | 'failed'; result: string } {
  if (document.status === 'FAILED')
    return { phase: 'failed', result: document.errorMessage ?? 'It could not be read.' };
  return { phase: 'completed', result: `${countOf(document.chunkCount ?? 0, 'chunk')} indexed` };
}
