'use client';

import { useEffect, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { conversationLinks, conversationQueries } from '#lib/features/conversations/queries.ts';
import { useEventStream, type StreamState } from './use-event-stream.ts';

/** Events come in bursts (a turn, a tool, a state): one look at the whole is enough for all of them. */
const GATHER_MS = 120;

/** Keeps the lists of a workspace fresh as calls change state. */
export function useCallListUpdates(workspaceId: string): StreamState {
  const refresh = useGatheredRefresh(conversationQueries.root(workspaceId));
  return useEventStream(conversationLinks.callsStream(workspaceId), refresh);
}

/** Keeps one call fresh while it runs; a finished one does not change any more. */
export function useCallUpdates(workspaceId: string, callId: string, isRunning: boolean): StreamState {
  const refresh = useGatheredRefresh(conversationQueries.detail(workspaceId, callId).queryKey);
  return useEventStream(isRunning ? conversationLinks.callStream(workspaceId, callId) : null, refresh);
}

function useGatheredRefresh(queryKey: readonly unknown[]): () => void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey });
    }, GATHER_MS);
  };
}
