'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { type ReactNode, useId, useState } from 'react';
import { Plus } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
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
  const formId = useId();
  const { form, submit, isSaving } = useOperationForm({
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
    <Dialog
      title={base ? 'Edit knowledge base' : 'New knowledge base'}
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        if (open) form.reset();
      }}
      trigger={
        trigger ?? (
          <Button variant="primary">
            <Plus aria-hidden="true" />
            New knowledge base
          </Button>
        )
      }
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            {base ? 'Save' : 'Create'}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
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
      </form>
    </Dialog>
  );
}
