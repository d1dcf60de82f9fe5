'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Info, RefreshCw } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { InlineCode } from '#components/ui/code-block.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  type getKnowledgeOverview,
  reembedKnowledgeBase,
} from '#lib/features/knowledge/dashboard/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation, type DataOf } from '#lib/http/client.ts';

export type KnowledgeOverview = DataOf<typeof getKnowledgeOverview>;

/** What the vectors are, and how far a renewal has come. Quiet while there is nothing to say. */
export function EmbeddingState({ base }: { base: KnowledgeOverview }) {
  const { embedding } = base;
  if (embedding.errorMessage) {
    return (
      <Notice
        tone="danger"
        icon={<CircleAlert aria-hidden="true" />}
        title="The vectors could not be renewed"
        actions={<Reembed base={base} label="Try again" />}
      >
        {embedding.errorMessage}
      </Notice>
    );
  }
  if (embedding.targetModel) {
    return (
      <Notice
        icon={<RefreshCw aria-hidden="true" />}
        title={`Renewing the vectors with ${embedding.targetModel}`}
      >
        <output className="block figures mb-2">
          {`${embedding.embeddedChunks.toLocaleString('en-US')} of ${embedding.totalChunks.toLocaleString('en-US')} chunks. Until it is done, the vectors of ${embedding.model} answer.`}
        </output>
        <Progress
          label="Chunks embedded anew"
          value={embedding.embeddedChunks}
          max={Math.max(embedding.totalChunks, 1)}
        />
      </Notice>
    );
  }
  if (embedding.kind === 'lexical') {
    return (
      <Notice icon={<Info aria-hidden="true" />} title="Search matches words, not meaning">
        The built-in model <InlineCode>{embedding.model}</InlineCode> needs no key. With an OpenAI-compatible
        server set up, questions in other words are understood too.
      </Notice>
    );
  }
  return null;
}

function Reembed({ base, label }: { base: KnowledgeOverview; label: string }) {
  const { id: workspaceId, role } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const reembed = useMutation({
    mutationFn: () => callOperation(reembedKnowledgeBase, { params: { id: base.id } }, { workspaceId }),
    onSuccess: () =>
      queryClient.invalidateQueries({ queryKey: knowledgeQueries.overview(workspaceId, base.id).queryKey }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  if (role !== 'admin' && role !== 'owner') return null;
  return (
    <Button size="sm" isBusy={reembed.isPending} onClick={() => reembed.mutate()}>
      {label}
    </Button>
  );
}
