'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { ReactNode } from 'react';
import { NewButton, OperationDialog } from '#components/forms/operation-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  createKnowledgeBase,
  knowledgeBaseInput,
  updateKnowledgeBase,
} from '#lib/features/knowledge/contract.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';
import { callOperation } from '#lib/http/client.ts';

type Props = {
  /** The one to edit; a new one is made without it. */
  base?: { id: string; name: string; description: string };
  trigger?: ReactNode;
  /** What follows a new one; its page is opened without it. */
  onCreated?: (created: { id: string; name: string }) => void;
};

const NOTHING = { name: '', description: '' };

export function KnowledgeBaseDialog({ base, trigger, onCreated }: Props) {
  const { id: workspaceId } = useWorkspace();
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  return (
    <OperationDialog
      title={base ? 'Edit knowledge base' : 'New knowledge base'}
      trigger={trigger ?? <NewButton>New knowledge base</NewButton>}
      saveLabel={base ? 'Save' : 'Create'}
      schema={knowledgeBaseInput}
      values={base ? { name: base.name, description: base.description } : NOTHING}
      save={async (body, before) =>
        base
          ? (
              await callOperation(
                updateKnowledgeBase,
                { params: { id: base.id }, body: { ...body, base: before } },
                { workspaceId },
              )
            ).data
          : (await callOperation(createKnowledgeBase, { body }, { workspaceId })).data
      }
      onSaved={(saved) => {
        void queryClient.invalidateQueries({ queryKey: knowledgeQueries.root(workspaceId) });
        toast({ title: base ? 'Knowledge base saved' : `${saved.name} was created` });
        if (base) return;
        if (onCreated) onCreated(saved);
        else router.push(workspacePath(workspaceId, `knowledge/${encodeURIComponent(saved.id)}`));
      }}
    >
      {(form) => (
        <>
          <TextField
            form={form}
            name="name"
            label="Name"
            isRequired
            limit={maxCharacters(knowledgeBaseInput, 'name')}
            placeholder="Prices and services"
          />
          <TextField
            form={form}
            name="description"
            label="Description"
            rows={3}
            limit={maxCharacters(knowledgeBaseInput, 'description')}
            description="What is in it. The agent reads this to know when to look here."
          />
        </>
      )}
    </OperationDialog>
  );
}
