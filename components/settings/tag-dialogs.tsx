'use client';

import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { createTag, type CustomTag, updateTag } from '#lib/features/tags/contract.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const RULE_HINT = 'When it applies, in a sentence. The analyzer follows it to the letter.';

export function CreateTagDialog({ trigger }: { trigger: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const operation = useOperationForm({
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
    <FormDialog
      title="New tag"
      saveLabel="Create tag"
      trigger={trigger}
      isOpen={isOpen}
      operation={operation}
      onOpenChange={(open) => {
        setIsOpen(open);
        operation.form.reset({ name: '', description: '' });
      }}
    >
      <TextField
        form={operation.form}
        name="name"
        label="Name"
        isRequired
        isMono
        placeholder="wants_invoice"
        description="Letters, digits, _ and -. It cannot be changed later."
      />
      <TextField
        form={operation.form}
        name="description"
        label="Rule"
        rows={3}
        isRequired
        limit={maxCharacters(createTag.body, 'description')}
        description={RULE_HINT}
      />
    </FormDialog>
  );
}

export function EditTagDialog({ tag, trigger }: { tag: CustomTag; trigger: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const operation = useOperationForm({
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
    <FormDialog
      title={`Rule of ${tag.name}`}
      saveLabel="Save"
      trigger={trigger}
      isOpen={isOpen}
      operation={operation}
      onOpenChange={(open) => {
        setIsOpen(open);
        operation.form.reset();
      }}
    >
      <TextField
        form={operation.form}
        name="description"
        label="Rule"
        rows={3}
        isRequired
        limit={maxCharacters(updateTag.body, 'description')}
        description={RULE_HINT}
      />
    </FormDialog>
  );
}
