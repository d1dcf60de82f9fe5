'use client';

import { useState } from 'react';
import { Pencil } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { NumberField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type PhoneNumber, updateNumber } from '#lib/features/numbers/contract.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = updateNumber.body.pick({ maxConcurrentCalls: true });

export function EditNumberDialog({ number, onSaved }: { number: PhoneNumber; onSaved: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  const operation = useOperationForm({
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
    <FormDialog
      size="sm"
      title={`Limit of ${number.number}`}
      isOpen={isOpen}
      onOpenChange={(open) => {
        setIsOpen(open);
        operation.form.reset();
      }}
      trigger={<IconButton size="sm" label={`Edit ${number.number}`} icon={<Pencil aria-hidden="true" />} />}
      operation={operation}
      saveLabel="Save"
    >
      <NumberField
        form={operation.form}
        name="maxConcurrentCalls"
        label="Calls at once"
        min={1}
        description="Further calls on this number wait in the queue."
      />
    </FormDialog>
  );
}
