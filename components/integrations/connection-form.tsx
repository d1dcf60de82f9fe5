'use client';

import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { UnsavedChanges } from '#components/forms/unsaved-changes.tsx';
import type { OperationForm } from '#components/forms/use-operation-form.ts';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';

/** The card of a form about how a server is reached, which admins and owners save. */
export function ConnectionForm<Values extends FieldValues>({
  operation: { form, submit, isSaving, isDirty },
  isReadOnly,
  children,
}: {
  operation: OperationForm<Values>;
  isReadOnly: boolean;
  children: ReactNode;
}) {
  return (
    <form noValidate aria-label="Connection" onSubmit={(event) => void submit(event)}>
      <Card
        title="Connection"
        footer={
          isReadOnly ? (
            <span>Only admins and owners can change it.</span>
          ) : (
            <>
              <span>Calls in progress use it at once.</span>
              <Button type="submit" variant="primary" disabled={!isDirty} isBusy={isSaving}>
                Save connection
              </Button>
            </>
          )
        }
      >
        <div className="flex flex-col gap-4">
          <FormFailure message={form.formState.errors.root?.server?.message} />
          {children}
          <UnsavedChanges isDirty={isDirty} />
        </div>
      </Card>
    </form>
  );
}
