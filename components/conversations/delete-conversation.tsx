'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useDeletion } from '#components/forms/use-deletion.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { deleteCall, deleteCalls } from '#lib/features/deletion/contract.ts';
import { reviewQueries } from '#lib/features/reviews/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const WHAT_GOES =
  'Transcript, recording, summary, notes, tags, ratings and links to it are gone for good, here and in the API. The minutes stay counted, and a number that opted out stays so.';
const OF_SEVERAL = 'Scenarios that were made of them go, too, with what was run with them.';

/** Deletes the conversation of the page, after a question; for admins. */
export function DeleteConversation({ callId, listHref }: { callId: string; listHref: string }) {
  const workspace = useWorkspace();
  const mayManage = useMayManage();
  const { data: review } = useQuery(reviewQueries.ofCall(workspace.id, callId));
  const remove = useDeletion({
    name: 'The conversation',
    remove: () => callOperation(deleteCall, { params: { callId } }, { workspaceId: workspace.id }),
    list: listHref,
    listKey: [...conversationQueries.root(workspace.id), 'list'],
  });
  if (!mayManage) return null;
  return (
    <ConfirmDialog
      title="Delete this conversation?"
      description={`${WHAT_GOES} ${sayScenarios(review?.scenarios ?? [])}`.trimEnd()}
      confirmLabel="Delete conversation"
      isBusy={remove.isPending}
      onConfirm={() => remove.mutate()}
      trigger={
        <IconButton
          variant="secondary"
          label="Delete conversation"
          title="Delete conversation"
          icon={<Trash2 aria-hidden="true" />}
        />
      }
    />
  );
}

/** What is chosen in the list, and what can be done with it. */
export function ChosenConversations({ ids, onDone }: { ids: readonly string[]; onDone: () => void }) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(deleteCalls, { body: { ids: [...ids] } }, { workspaceId: workspace.id }),
    onSuccess: ({ data: { deletedCount, refused } }) => {
      toast({
        tone: refused.length > 0 ? 'danger' : 'success',
        title: `${countOf(deletedCount)} deleted`,
        ...(refused[0] ? { description: `${countOf(refused.length)} not: ${refused[0].reason}.` } : {}),
      });
      onDone();
    },
    onError: (error) => toast({ tone: 'danger', title: describeFailure(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: conversationQueries.root(workspace.id) }),
  });
  return (
    <section
      aria-label="Chosen conversations"
      className="sticky bottom-4 z-20 flex flex-wrap items-center gap-2 rounded-lg border border-line bg-raised px-4 py-2.5 shadow-pop"
    >
      <output className="mr-auto text-sm text-ink">{countOf(ids.length)} chosen</output>
      <Button onClick={onDone}>Choose none</Button>
      <ConfirmDialog
        title={`Delete ${countOf(ids.length)}?`}
        description={`${WHAT_GOES} ${OF_SEVERAL}`}
        confirmLabel="Delete"
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
        trigger={
          <Button variant="danger" isBusy={remove.isPending}>
            <Trash2 aria-hidden="true" />
            Delete
          </Button>
        }
      />
    </section>
  );
}

function countOf(count: number): string {
  return count === 1 ? 'one conversation' : `${count} conversations`;
}

function sayScenarios(scenarios: readonly { name: string }[]): string {
  if (scenarios.length === 0) return '';
  const names = scenarios.map(({ name }) => `“${name}”`).join(', ');
  return scenarios.length === 1
    ? `The scenario ${names} was made of it and goes, too, with what was run with it.`
    : `The scenarios ${names} were made of it and go, too, with what was run with them.`;
}
