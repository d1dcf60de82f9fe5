'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CircleAlert, CircleCheck, Info, RefreshCw } from 'lucide-react';
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
import { countOf } from './count-of.ts';

export type KnowledgeOverview = DataOf<typeof getKnowledgeOverview>;

/** What the vectors are, how far a renewal has come, and why it stopped. */
export function EmbeddingState({ base }: { base: KnowledgeOverview }) {
  return (
    <div>
      {/* Each turn of a renewal is read out, its figures are not: they change every few seconds. */}
      <output className="sr-only">{turnOf(base.embedding)}</output>
      <StateNotice base={base} />
    </div>
  );
}

function turnOf({ errorMessage, targetModel, kind, model }: KnowledgeOverview['embedding']): string {
  // A failure announces itself.
  if (errorMessage) return '';
  if (targetModel) return `Renewing the vectors with ${targetModel}`;
  return kind === 'semantic' ? `The vectors of ${model} answer` : '';
}

function StateNotice({ base }: { base: KnowledgeOverview }) {
  const { embedding } = base;
  if (embedding.errorMessage) return <FailedRenewal base={base} />;
  if (embedding.targetModel) {
    return (
      <Notice
        icon={<RefreshCw aria-hidden="true" />}
        title={`Renewing the vectors with ${embedding.targetModel}`}
      >
        <p className="figures mb-2">
          {`${doneOf(embedding)}. Until it is done, the vectors of ${embedding.model} answer.`}
        </p>
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
  return (
    <p className="flex items-start gap-2 text-sm text-ink-subtle">
      <CircleCheck aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-success-text" />
      <span className="min-w-0 wrap-anywhere">
        Search understands meaning, with the vectors of <InlineCode>{embedding.model}</InlineCode>.
      </span>
    </p>
  );
}

/** A failed renewal is tried again by the service too, and may succeed without anybody here. */
const FAILURE_POLL_MS = 10_000;

function FailedRenewal({ base }: { base: KnowledgeOverview }) {
  const { id: workspaceId } = useWorkspace();
  useQuery({ ...knowledgeQueries.overview(workspaceId, base.id), refetchInterval: FAILURE_POLL_MS });
  return (
    <Notice
      tone="danger"
      icon={<CircleAlert aria-hidden="true" />}
      title="The vectors could not be renewed"
      actions={<Reembed base={base} label="Try again" />}
    >
      <p>{base.embedding.errorMessage}</p>
      <p className="figures">
        {`${doneOf(base.embedding)} done. Meanwhile the vectors of ${base.embedding.model} answer.`}
      </p>
    </Notice>
  );
}

function doneOf({ embeddedChunks, totalChunks }: KnowledgeOverview['embedding']): string {
  return `${embeddedChunks.toLocaleString('en-US')} of ${countOf(totalChunks, 'chunk')}`;
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
