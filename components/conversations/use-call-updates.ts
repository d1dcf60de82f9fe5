'use client';

import { useEffect, useRef, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import type { SpokenWords } from '#lib/features/calls/supervision/contract.ts';
import { conversationLinks, conversationQueries } from '#lib/features/conversations/queries.ts';
import { useEventStream, type StreamState } from './use-event-stream.ts';
import { followWords, type WordsAfterTurn, wordsWithoutTurn } from './words-now.ts';

/** Events come in bursts (a turn, a tool, a state): one look at the whole is enough for all of them. */
const GATHER_MS = 120;

/** Keeps the lists of a workspace fresh as calls change state. */
export function useCallListUpdates(workspaceId: string): StreamState {
  const refresh = useGatheredRefresh(conversationQueries.root(workspaceId));
  return useEventStream(conversationLinks.callsStream(workspaceId), refresh);
}

export type WordsNow = { agent: string; human: string };

/**
 * Keeps one call fresh while it runs; a finished one does not change any more. Gives what is being said just now, as far
 * as somebody knows it; `interim` is what this page knows of the person's words by itself.
 */
export function useCallUpdates(
  workspaceId: string,
  callId: string,
  { isRunning, interim = '' }: { isRunning: boolean; interim?: string },
): WordsNow {
  const queryClient = useQueryClient();
  const { queryKey } = conversationQueries.detail(workspaceId, callId);
  const [said, setSaid] = useState<Partial<Record<keyof WordsNow, WordsAfterTurn>>>({});
  const [own, setOwn] = useState<WordsAfterTurn>();
  const refresh = useGatheredRefresh(queryKey);
  const lastSeq = (speaker: keyof WordsNow) =>
    queryClient.getQueryData(queryKey)?.turns.findLast((turn) => turn.speaker === speaker)?.seq ?? 0;
  const onWords = ({ speaker, text }: SpokenWords) =>
    setSaid((before) => ({ ...before, [speaker]: { text, afterSeq: lastSeq(speaker) } }));
  useEventStream(isRunning ? conversationLinks.callStream(workspaceId, callId) : null, refresh, onWords);
  // Nobody says that these are over: the service tells interim words, and its transcription then ends in a turn.
  const followed = followWords(own, interim, lastSeq('human'));
  if (followed !== own) setOwn(followed);
  if (!isRunning) return { agent: '', human: '' };
  const now = (speaker: keyof WordsNow) => wordsWithoutTurn(said[speaker], lastSeq(speaker));
  return { agent: now('agent'), human: now('human') || wordsWithoutTurn(followed, lastSeq('human')) };
}

/** Of a campaign: it has many calls at once, and its numbers are counted anew each time. */
const GATHER_CAMPAIGN_MS = 1_000;

/** Keeps what `queryKey` names fresh while calls of a campaign change state. */
export function useCampaignUpdates(
  workspaceId: string,
  queryKey: readonly unknown[],
  isRunning: boolean,
): void {
  const refresh = useGatheredRefresh(queryKey, GATHER_CAMPAIGN_MS);
  useEventStream(isRunning ? conversationLinks.callsStream(workspaceId) : null, refresh);
}

function useGatheredRefresh(queryKey: readonly unknown[], gatherMs = GATHER_MS): () => void {
  const queryClient = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return () => {
    if (timer.current !== undefined) return;
    timer.current = setTimeout(() => {
      timer.current = undefined;
      void queryClient.invalidateQueries({ queryKey });
    }, gatherMs);
  };
}
