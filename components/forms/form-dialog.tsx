'use client';

import { type ComponentProps, type ReactNode, useId } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Button } from '#components/ui/button.tsx';
import { Dialog, DialogClose } from '#components/ui/dialog.tsx';
import { FormFailure } from './form-bar.tsx';
import type { OperationForm } from './use-operation-form.ts';

type FormDialogProps<Values extends FieldValues> = Omit<
  ComponentProps<typeof Dialog>,
  'footer' | 'keepsOutsideClicks'
> & {
  operation: OperationForm<Values>;
  saveLabel: string;
  /** False while something has to be done before it can be saved. */
  isReady?: boolean;
  children: ReactNode;
};

/** A dialog around a form that saves through one operation: what it refused is said at the top, fields follow. */
export function FormDialog<Values extends FieldValues>({
  operation,
  saveLabel,
  isReady = true,
  children,
  ...dialog
}: FormDialogProps<Values>) {
  const formId = useId();
  return (
    <Dialog
      {...dialog}
      keepsOutsideClicks={operation.isDirty}
      footer={
        <>
          <DialogClose asChild>
            <Button>Cancel</Button>
          </DialogClose>
          <Button
            type="submit"
            form={formId}
            variant="primary"
            isBusy={operation.isSaving}
            disabled={!isReady}
          >
            {saveLabel}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        noValidate
        onSubmit={(event) => void operation.submit(event)}
        className="flex flex-col gap-4"
      >
        <FormFailure message={operation.form.formState.errors.root?.server?.message} />
        {children}
      </form>
    </Dialog>
  );
}
