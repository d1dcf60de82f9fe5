'use client';

import { Pencil } from 'lucide-react';
import { beyondNumberLimit, useLines } from '#components/calls/use-lines.ts';
import { OperationDialog } from '#components/forms/operation-dialog.tsx';
import { NumberField } from '#components/forms/form-fields.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type PhoneNumber, updateNumber } from '#lib/features/numbers/contract.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = updateNumber.body.pick({ maxConcurrentCalls: true });

export function EditNumberDialog({ number, onSaved }: { number: PhoneNumber; onSaved: () => void }) {
  const { id: workspaceId } = useWorkspace();
  const { ofWorkspace } = useLines(null);
  const toast = useToast();
  return (
    <OperationDialog
      size="sm"
      title={`Limit of ${number.number}`}
      trigger={<IconButton size="sm" label={`Edit ${number.number}`} icon={<Pencil aria-hidden="true" />} />}
      saveLabel="Save"
      schema={schema}
      values={{ maxConcurrentCalls: number.maxConcurrentCalls }}
      save={(body, base) =>
        callOperation(
          updateNumber,
          { params: { numberId: number.id }, body: { ...body, base } },
          { workspaceId },
        )
      }
      onSaved={() => {
        toast({ title: `${number.number} was saved` });
        onSaved();
      }}
    >
      {(form) => (
        <NumberField
          form={form}
          name="maxConcurrentCalls"
          label="Calls at once"
          min={1}
          description={beyondNumberLimit(ofWorkspace)}
        />
      )}
    </OperationDialog>
  );
}
