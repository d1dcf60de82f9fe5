'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Plus, TriangleAlert } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { CodeBlock } from '#components/ui/code-block.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { createKey } from '#lib/features/keys/contract.ts';
import { keyQueries } from '#lib/features/keys/queries.ts';
import { callOperation } from '#lib/http/client.ts';

/** Makes a key and shows it this once; closing the dialog forgets it. */
export function CreateKeyDialog() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [key, setKey] = useState<string | null>(null);
  const { form, submit, isSaving } = useOperationForm({
    schema: createKey.body,
    values: { name: '' },
    save: (body) => callOperation(createKey, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      setKey(data.key);
      void queryClient.invalidateQueries({ queryKey: keyQueries.list(workspaceId).queryKey });
    },
  });
  const onOpenChange = (open: boolean) => {
    setIsOpen(open);
    setKey(null);
    form.reset({ name: '' });
  };
  return (
    <Dialog
      title={key === null ? 'New API key' : 'Your new API key'}
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      keepsOutsideClicks={form.formState.isDirty || key !== null}
      trigger={
        <Button variant="primary">
          <Plus aria-hidden="true" />
          New API key
        </Button>
      }
      footer={
        key === null ? (
          <CreateButtons formId={formId} isSaving={isSaving} />
        ) : (
          <DialogClose asChild>
            <Button variant="primary">Done</Button>
          </DialogClose>
        )
      }
    >
      {key === null ? (
        <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <TextField
            form={form}
            name="name"
            label="Name"
            isRequired
            limit={maxCharacters(createKey.body, 'name')}
            placeholder="Booking system"
            description="Which system uses it, so that it can be revoked alone."
          />
        </form>
      ) : (
        <NewKey value={key} />
      )}
    </Dialog>
  );
}

function CreateButtons({ formId, isSaving }: { formId: string; isSaving: boolean }) {
  return (
    <>
      <DialogClose asChild>
        <Button>Cancel</Button>
      </DialogClose>
      <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
        Create key
      </Button>
    </>
  );
}

function NewKey({ value }: { value: string }) {
  return (
    <div className="flex flex-col gap-4">
      <Notice tone="warning" icon={<TriangleAlert aria-hidden="true" />} title="Copy it now">
        It is not stored and cannot be shown again.
      </Notice>
      <CodeBlock code={value} label="API key" isWrapped />
    </div>
  );
}
