'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import {
  addCallTag,
  type CallReview,
  rateCall,
  removeCallTag,
  unrateCall,
  updateCallReview,
} from '#lib/features/reviews/contract.ts';
import { reviewQueries } from '#lib/features/reviews/queries.ts';
import { callOperation } from '#lib/http/client.ts';

export type ReviewStep =
  | { kind: 'review'; isReviewed?: boolean; assigneeId?: string | null }
  | { kind: 'tag'; tag: string; isAdded: boolean }
  | { kind: 'rate'; stars: number; sentence?: string }
  | { kind: 'unrate' };

/** What people say about one conversation, and the ways to say more. Every answer is the whole of it. */
export function useReview(callId: string) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const query = reviewQueries.ofCall(workspace.id, callId);
  const { data: review, error } = useQuery(query);
  const change = useMutation({
    // One after the other: what is pressed quickly is said in that order.
    scope: { id: `review:${callId}` },
    mutationFn: (step: ReviewStep) => send(step, callId, workspace.id),
    onSuccess: (answer, step) => {
      queryClient.setQueryData(query.queryKey, answer);
      void queryClient.invalidateQueries({ queryKey: [...conversationQueries.root(workspace.id), 'list'] });
      if (step.kind === 'tag')
        void queryClient.invalidateQueries(conversationQueries.detail(workspace.id, callId));
    },
    onError: (failure) =>
      toast({ tone: 'danger', title: 'The review was not saved', description: describeFailure(failure) }),
  });
  return { review, error, change: change.mutate, isBusy: change.isPending };
}

async function send(step: ReviewStep, callId: string, workspaceId: string): Promise<CallReview> {
  const scope = { workspaceId };
  switch (step.kind) {
    case 'review': {
      const { kind: _kind, ...body } = step;
      return (await callOperation(updateCallReview, { params: { callId }, body }, scope)).data;
    }
    case 'tag': {
      const params = { callId, tag: step.tag };
      const operation = step.isAdded ? addCallTag : removeCallTag;
      return (await callOperation(operation, { params }, scope)).data;
    }
    case 'rate': {
      const { stars, sentence } = step;
      const body = sentence === undefined ? { stars } : { stars, sentence };
      return (await callOperation(rateCall, { params: { callId }, body }, scope)).data;
    }
    case 'unrate':
      return (await callOperation(unrateCall, { params: { callId } }, scope)).data;
  }
}
