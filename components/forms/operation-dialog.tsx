'use client';

import { type ComponentProps, type ReactNode, useState } from 'react';
import type { DefaultValues } from 'react-hook-form';
import { type LucideIcon, Plus } from 'lucide-react';
import type { z } from 'zod';
import { Button } from '#components/ui/button.tsx';
import { FormDialog } from './form-dialog.tsx';
import { type FormSchema, type OperationForm, useOperationForm } from './use-operation-form.ts';

type OperationDialogProps<Schema extends FormSchema, Saved> = Omit<
  ComponentProps<typeof FormDialog>,
  'operation' | 'children' | 'isOpen'
> & {
  schema: Schema;
  values: z.input<Schema>;
  save: (body: z.input<Schema>, base: z.input<Schema>) => Promise<Saved>;
  onSaved: (saved: Saved) => void;
  children: (form: OperationForm<z.input<Schema>>['form']) => ReactNode;
};

/** A form in a dialog, which begins with `values` each time it is opened and closes once it was saved. */
export function OperationDialog<Schema extends FormSchema, Saved>({
  schema,
  values,
  save,
  onSaved,
  children,
  onOpenChange,
  ...dialog
}: OperationDialogProps<Schema, Saved>) {
  const [isOpen, setIsOpen] = useState(false);
  const open = (isOpening: boolean) => {
    setIsOpen(isOpening);
    onOpenChange?.(isOpening);
  };
  const operation = useOperationForm({
    schema,
    values,
    save,
    onSaved: (saved) => {
      open(false);
      onSaved(saved);
    },
  });
  return (
    <FormDialog
      {...dialog}
      operation={operation}
      isOpen={isOpen}
      onOpenChange={(isOpening) => {
        open(isOpening);
        operation.form.reset(values as DefaultValues<z.input<Schema>>);
      }}
    >
      {children(operation.form)}
    </FormDialog>
  );
}

/** The button of a page that makes something new. */
export function NewButton({
  icon: Icon = Plus,
  children,
  ...button
}: ComponentProps<typeof Button> & { icon?: LucideIcon }) {
  return (
    <Button variant="primary" {...button}>
      <Icon aria-hidden="true" />
      {children}
    </Button>
  );
}
