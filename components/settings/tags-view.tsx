'use client';

import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { Pencil, Plus, Tags, Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type CustomTag, deleteTag } from '#lib/features/tags/contract.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { CreateTagDialog, EditTagDialog } from './tag-dialogs.tsx';

export function TagsView() {
  const { id: workspaceId } = useWorkspace();
  const { data: tags } = useSuspenseQuery(tagQueries.list(workspaceId));
  const mayManage = useMayManage();
  const create = mayManage ? (
    <CreateTagDialog
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          New tag
        </Button>
      }
    />
  ) : null;
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      <Card
        title="Your tags"
        description="The analyzer applies them after each call, by the rule you write."
        actions={tags.custom.length > 0 ? create : null}
        isFlush
      >
        {tags.custom.length === 0 ? (
          <EmptyState
            isBare
            icon={<Tags />}
            title="No tags of your own"
            description="For example wants_invoice: “The caller asked for an invoice.”"
            actions={create}
          />
        ) : (
          <ul className="divide-y divide-line">
            {tags.custom.map((tag) => (
              <li key={tag.name} className="flex items-start justify-between gap-3 px-4 py-3 sm:px-5">
                <TagText name={tag.name} description={tag.description} />
                {mayManage ? <TagActions tag={tag} /> : null}
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title="System tags" description="Applied in every workspace, by these rules." isFlush>
        <ul className="divide-y divide-line">
          {tags.system.map((tag) => (
            <li key={tag.name} className="px-4 py-3 sm:px-5">
              <TagText name={tag.name} description={tag.description} />
            </li>
          ))}
        </ul>
      </Card>
    </div>
  );
}

function TagText({ name, description }: { name: string; description: string }) {
  return (
    <div className="min-w-0">
      <Badge className="font-mono">{name}</Badge>
      <p className="mt-1 text-sm wrap-anywhere text-ink-muted">{description}</p>
    </div>
  );
}

function TagActions({ tag }: { tag: CustomTag }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(deleteTag, { params: { name: tag.name } }, { workspaceId }),
    onSuccess: async () => {
      toast({ title: `${tag.name} was removed` });
      await queryClient.invalidateQueries({ queryKey: tagQueries.list(workspaceId).queryKey });
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <span className="flex shrink-0 gap-1">
      <EditTagDialog
        tag={tag}
        trigger={<IconButton size="sm" label={`Edit ${tag.name}`} icon={<Pencil aria-hidden="true" />} />}
      />
      <ConfirmDialog
        title={`Remove ${tag.name}?`}
        description="It is no longer applied. Conversations that carry it keep it."
        confirmLabel="Remove tag"
        onConfirm={() => remove.mutate()}
        trigger={
          <IconButton
            size="sm"
            label={`Remove ${tag.name}`}
            icon={<Trash2 aria-hidden="true" />}
            disabled={remove.isPending}
          />
        }
      />
    </span>
  );
}
