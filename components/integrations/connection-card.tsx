'use client';

import { type Control, type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import { Plus, X } from 'lucide-react';
import type { z } from 'zod';
import { SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type IntegrationDetail, updateIntegration } from '#lib/features/integrations/contract.ts';
import { ConnectionForm } from './connection-form.tsx';
import { useSaveIntegration } from './use-integration.ts';

const schema = updateIntegration.body.pick({ name: true, isOn: true, address: true, headers: true });
type Values = z.input<typeof schema>;
type Form = UseFormReturn<Values, unknown, Values>;

/** Where the requests go, and what they carry. */
export function ConnectionCard({
  integration,
  isReadOnly,
}: {
  integration: IntegrationDetail;
  isReadOnly: boolean;
}) {
  const save = useSaveIntegration(integration.id);
  const toast = useToast();
  const { name, isOn, address, headers } = integration;
  const operation = useOperationForm({
    schema,
    values: { name, isOn, address, headers },
    save: (body, base) => save(schema.parse(body), base),
    onSaved: (saved) => {
      operation.form.reset({
        name: saved.name,
        isOn: saved.isOn,
        address: saved.address,
        headers: saved.headers,
      });
      toast({ title: 'Connection saved' });
    },
  });
  const { form } = operation;
  return (
    <ConnectionForm operation={operation} isReadOnly={isReadOnly}>
      <SwitchField
        form={form}
        name="isOn"
        label="In use"
        description="Off: no agent is offered its tools."
        isDisabled={isReadOnly}
      />
      <TextField form={form} name="name" label="Name" isRequired isDisabled={isReadOnly} />
      <TextField
        form={form}
        name="address"
        label="Address"
        type="url"
        isRequired
        isDisabled={isReadOnly}
        description="Every request begins with it. Secrets are kept for this server alone: with another one they have to be entered again."
      />
      <HeaderFields form={form} isReadOnly={isReadOnly} />
    </ConnectionForm>
  );
}

function HeaderFields({ form, isReadOnly }: { form: Form; isReadOnly: boolean }) {
  const control = form.control as Control<Values>;
  const { fields, append, remove } = useFieldArray({ control, name: 'headers' });
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium text-ink">Headers</legend>
      {fields.length === 0 ? (
        <p className="text-sm text-ink-subtle">
          None. Most servers want a key here, for example in Authorization.
        </p>
      ) : null}
      {fields.map((field, index) => (
        <HeaderRow
          key={field.id}
          form={form}
          index={index}
          isReadOnly={isReadOnly}
          onRemove={() => remove(index)}
        />
      ))}
      {isReadOnly ? null : (
        <Button
          className="self-start"
          onClick={() => append({ name: '', value: null, isSecret: true })}
          disabled={fields.length >= 20}
        >
          <Plus aria-hidden="true" />
          Add header
        </Button>
      )}
    </fieldset>
  );
}

type RowProps = { form: Form; index: number; isReadOnly: boolean; onRemove: () => void };

function HeaderRow({ form, index, isReadOnly, onRemove }: RowProps) {
  const control = form.control as Control<Values>;
  const isSecret = useWatch({ control, name: `headers.${index}.isSecret` });
  const kept = form.formState.defaultValues?.headers?.[index];
  const isKept = kept?.isSecret === true && kept.value === null && (kept.name ?? '') !== '';
  return (
    <div className="flex flex-col gap-2.5 rounded-md border border-line bg-sunken/60 p-3">
      <div className="flex items-end gap-2">
        <TextField
          form={form}
          name={`headers.${index}.name`}
          label="Name"
          isMono
          isDisabled={isReadOnly}
          placeholder="Authorization"
          className="flex-1"
        />
        {isReadOnly ? null : (
          <IconButton
            label={`Remove header ${index + 1}`}
            icon={<X aria-hidden="true" />}
            onClick={onRemove}
          />
        )}
      </div>
      <TextField
        form={form}
        name={`headers.${index}.value`}
        label="Value"
        isMono
        isNullable
        isDisabled={isReadOnly}
        type={isSecret ? 'password' : 'text'}
        autoComplete={isSecret ? 'new-password' : 'off'}
        placeholder={isKept && isSecret ? 'Kept. Type to replace it' : 'Bearer …'}
      />
      <SwitchField
        form={form}
        name={`headers.${index}.isSecret`}
        label="Secret"
        description="Kept encrypted, never shown again."
        isDisabled={isReadOnly}
      />
    </div>
  );
}
