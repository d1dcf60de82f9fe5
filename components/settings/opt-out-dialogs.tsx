'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ClipboardPaste } from 'lucide-react';
import { FormDialog } from '#components/forms/form-dialog.tsx';
import { NewButton, OperationDialog } from '#components/forms/operation-dialog.tsx';
import { TextField } from '#components/forms/form-fields.tsx';
import { PhoneField } from '#components/forms/phone-field.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { ConfirmDialog, Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { addOptOut, importOptOuts, removeOptOut } from '#lib/features/opt-outs/contract.ts';
import { optOutQueries } from '#lib/features/opt-outs/queries.ts';
import { OPT_OUT_LIMITS } from '#lib/features/opt-outs/rules.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';

function useRefreshOptOuts() {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: optOutQueries.root(workspaceId) });
}

const NEW = { number: '', note: null };

export function AddOptOutDialog() {
  const { id: workspaceId } = useWorkspace();
  const refresh = useRefreshOptOuts();
  const toast = useToast();
  return (
    <OperationDialog
      title="Never call a number again"
      trigger={<NewButton>Add number</NewButton>}
      saveLabel="Add number"
      schema={addOptOut.body}
      values={NEW}
      save={(body) => callOperation(addOptOut, { body }, { workspaceId })}
      onSaved={({ data }) => {
        toast({ title: `${formatPhoneNumber(data.number)} is not called again` });
        void refresh();
      }}
    >
      {(form) => (
        <>
          <PhoneField form={form} name="number" label="Number" isRequired placeholder="+1 555 010 9900" />
          <TextField
            form={form}
            name="note"
            label="Note"
            isNullable
            limit={OPT_OUT_LIMITS.note}
            placeholder="Asked by letter"
          />
        </>
      )}
    </OperationDialog>
  );
}

type Imported = { addedCount: number; knownCount: number; unreadableCount: number; unreadable: string[] };

export function ImportOptOutsDialog() {
  const { id: workspaceId } = useWorkspace();
  const [isOpen, setIsOpen] = useState(false);
  const [result, setResult] = useState<Imported | null>(null);
  const refresh = useRefreshOptOuts();
  const values = { text: '', note: null };
  const operation = useOperationForm({
    schema: importOptOuts.body,
    values,
    save: (body) => callOperation(importOptOuts, { body }, { workspaceId }),
    onSaved: ({ data }) => {
      setResult(data);
      void refresh();
    },
  });
  const onOpenChange = (open: boolean) => {
    setIsOpen(open);
    setResult(null);
    operation.form.reset(values);
  };
  const trigger = (
    <Button>
      <ClipboardPaste aria-hidden="true" />
      Import
    </Button>
  );
  if (result) return <ImportResult result={result} onOpenChange={onOpenChange} trigger={trigger} />;
  return (
    <FormDialog
      title="Import opt-outs"
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      trigger={trigger}
      operation={operation}
      saveLabel="Import"
    >
      <TextField
        form={operation.form}
        name="text"
        label="Numbers"
        rows={8}
        isMono
        isRequired
        placeholder={'+15550109900\n+1 (555) 010-9901'}
        description="One on each line, or separated by commas. Without a country code they are numbers of the workspace's country."
      />
      <TextField
        form={operation.form}
        name="note"
        label="Note"
        isNullable
        limit={OPT_OUT_LIMITS.note}
        placeholder="List of the old system"
      />
    </FormDialog>
  );
}

const counted = new Intl.NumberFormat('en-US');
const numbersOf = (count: number) => (count === 1 ? 'one number' : `${counted.format(count)} numbers`);

function ImportResult({
  result,
  onOpenChange,
  trigger,
}: {
  result: Imported;
  onOpenChange: (isOpen: boolean) => void;
  trigger: React.ReactNode;
}) {
  const hidden = result.unreadableCount - result.unreadable.length;
  return (
    <Dialog
      title="Imported"
      isOpen
      onOpenChange={onOpenChange}
      trigger={trigger}
      footer={
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      }
    >
      <div aria-live="polite" className="flex flex-col gap-3 text-sm text-ink-muted">
        <p>
          {`${capitalized(numbersOf(result.addedCount))} added.`}
          {result.knownCount > 0 ? ` ${capitalized(numbersOf(result.knownCount))} on the list before.` : ''}
        </p>
        {result.unreadableCount > 0 ? (
          <>
            <p className="text-warning-text">
              {result.unreadableCount === 1
                ? 'One entry is no phone number and was left out:'
                : `${counted.format(result.unreadableCount)} entries are no phone numbers and were left out:`}
            </p>
            <ul className="max-h-48 overflow-y-auto font-mono text-xs break-all">
              {result.unreadable.map((piece, index) => (
                <li key={index}>{piece}</li>
              ))}
              {hidden > 0 ? <li>{`and ${counted.format(hidden)} more`}</li> : null}
            </ul>
          </>
        ) : null}
      </div>
    </Dialog>
  );
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export function RemoveOptOut({ number }: { number: string }) {
  const { id: workspaceId } = useWorkspace();
  const refresh = useRefreshOptOuts();
  const toast = useToast();
  const remove = useMutation({
    mutationFn: () => callOperation(removeOptOut, { params: { number } }, { workspaceId }),
    onSuccess: async () => {
      toast({ title: `${formatPhoneNumber(number)} may be called again` });
      await refresh();
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <ConfirmDialog
      title={`Call ${formatPhoneNumber(number)} again?`}
      description="This person asked not to be called. Take the number off the list only when they agreed to it."
      confirmLabel="Remove from the list"
      onConfirm={() => remove.mutate()}
      trigger={
        <Button size="sm" isBusy={remove.isPending} aria-label={`Remove ${formatPhoneNumber(number)}`}>
          Remove
        </Button>
      }
    />
  );
}
