'use client';

import { useId, useState } from 'react';
import { Pencil } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type PhoneNumber, updateNumber } from '#lib/features/numbers/contract.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = updateNumber.body.pick({ maxConcurrentCalls: true });

export function EditNumberDialog({ number, onSaved }: { number: PhoneNumber; onSaved: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const formId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const { form, submit, isSaving } = useOperationForm({
    schema,
    values: { maxConcurrentCalls: number.maxConcurrentCalls },
    save: (body) => callOperation(updateNumber, { params: { numberId: number.id }, body }, { workspaceId }),
    onSaved: () => {
      setIsOpen(false);
      toast({ title: `${number.number} was saved` });
      onSaved();
    },
  });
  return (
    <Dialog
      size="sm"
      title={`Limit of ${number.number}`}
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        form.reset();
      }}
      trigger={<IconButton size="sm" label={`Edit ${number.number}`} icon={<Pencil aria-hidden="true" />} />}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button type="submit" form={formId} variant="primary" isBusy={isSaving}>
            Save
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
        <FormFailure message={form.formState.errors.root?.server?.message} />
        <NumberField
          form={form}
          name="maxConcurrentCalls"
          label="Calls at once"
          min={1}
          description="Further calls on this number wait in the queue."
        />
      </form>
    </Dialog>
  );
}
