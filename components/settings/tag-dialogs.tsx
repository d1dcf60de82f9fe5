'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useId, useState } from 'react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { createTag, type CustomTag, updateTag } from '#lib/features/tags/contract.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const RULE_HINT = 'When it applies, in a sentence. The analyzer follows it to the letter.';

export function CreateTagDialog({ trigger }: { trigger: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { form, submit, isSaving } = useOperationForm({
    schema: createTag.body,
    values: { name: '', description: '' },
    save: (body) => callOperation(createTag, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      setIsOpen(false);
      toast({ title: `${data.name} is applied from now on` });
      void queryClient.invalidateQueries({ queryKey: tagQueries.list(workspaceId).queryKey });
    },
  });
  return (
    <TagDialog
      title="New tag"
      saveLabel="Create tag"
      trigger={trigger}
      formId={formId}
      isOpen={isOpen}
      isSaving={isSaving}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset({ name: '', description: '' });
      }}
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="name"
          label="Name"
          isRequired
          isMono
          placeholder="wants_invoice"
          description="Letters, digits, _ and -. It cannot be changed later."
        />
        <TextField
          form={form}
          name="description"
          label="Rule"
          rows={3}
          isRequired
          limit={maxCharacters(createTag.body, 'description')}
          description={RULE_HINT}
        />
      </form>
    </TagDialog>
  );
}

export function EditTagDialog({ tag, trigger }: { tag: CustomTag; trigger: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { form, submit, isSaving } = useOperationForm({
    schema: updateTag.body,
    values: { description: tag.description },
    save: (body) => callOperation(updateTag, { params: { name: tag.name }, body }, { workspaceId }),
    onSaved: () => {
      setIsOpen(false);
      toast({ title: 'Rule saved' });
      void queryClient.invalidateQueries({ queryKey: tagQueries.list(workspaceId).queryKey });
    },
  });
  return (
    <TagDialog
      title={`Rule of ${tag.name}`}
      saveLabel="Save"
      trigger={trigger}
      formId={formId}
      isOpen={isOpen}
      isSaving={isSaving}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset();
      }}
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <TextField
          form={form}
          name="description"
          label="Rule"
          rows={3}
          isRequired
          limit={maxCharacters(updateTag.body, 'description')}
          description={RULE_HINT}
        />
      </form>
    </TagDialog>
  );
}

type TagDialogProps = {
  title: string;
  saveLabel: string;
  trigger: ReactNode;
  formId: string;
  isOpen: boolean;
  isSaving: boolean;
  onOpenChange: (isOpen: boolean) => void;
  children: ReactNode;
};

function TagDialog({ formId, isSaving, saveLabel, ...dialog }: TagDialogProps) {
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            {saveLabel}
          </Button>
        </>
      }
    />
  );
}
