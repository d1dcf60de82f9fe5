'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useState } from 'react';
import { Plus } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
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
};

const NOTHING = { name: '', description: '' };

export function KnowledgeBaseDialog({ base, trigger }: Props) {
  const { id: workspaceId } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const router = useRouter();
  const toast = useToast();
  const queryClient = useQueryClient();
  const operation = useOperationForm({
    schema: knowledgeBaseInput,
    values: base ? { name: base.name, description: base.description } : NOTHING,
    save: async (body) =>
      base
        ? (await callOperation(updateKnowledgeBase, { params: { id: base.id }, body }, { workspaceId })).data
        : (await callOperation(createKnowledgeBase, { body }, { workspaceId })).data,
    onSaved: (saved) => {
      setIsOpen(false);
      void queryClient.invalidateQueries({ queryKey: knowledgeQueries.root(workspaceId) });
      toast({ title: base ? 'Knowledge base saved' : `${saved.name} was created` });
      if (!base) router.push(workspacePath(workspaceId, `knowledge/${encodeURIComponent(saved.id)}`));
    },
  });
  return (
    <FormDialog
      title={base ? 'Edit knowledge base' : 'New knowledge base'}
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        if (open) operation.form.reset();
      }}
      trigger={
        trigger ?? (
          <Button variant="primary">
            <Plus aria-hidden="true" />
            New knowledge base
          </Button>
        )
      }
      operation={operation}
      saveLabel={base ? 'Save' : 'Create'}
    >
      <TextField
        form={operation.form}
        name="name"
        label="Name"
        isRequired
        limit={maxCharacters(knowledgeBaseInput, 'name')}
        placeholder="Prices and services"
      />
      <TextField
        form={operation.form}
        name="description"
        label="Description"
        rows={3}
        limit={maxCharacters(knowledgeBaseInput, 'description')}
        description="What is in it. The agent reads this to know when to look here."
      />
    </FormDialog>
  );
}
