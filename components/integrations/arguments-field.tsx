'use client';

import { type Control, type UseFormReturn, useFieldArray, useWatch } from 'react-hook-form';
import { Braces, ListPlus, X } from 'lucide-react';
import { SelectField, SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { messageOf } from '#components/forms/use-operation-form.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { FieldError } from '#components/ui/field.tsx';
import { ARGUMENT_TYPES, NEW_ARGUMENT, toggled, type ToolFormValues } from './tool-form.ts';

export type ToolForm = UseFormReturn<ToolFormValues, unknown, ToolFormValues>;

/** The arguments of a tool, as rows or as the text of a JSON Schema. */
export function ArgumentsField({ form }: { form: ToolForm }) {
  const control = form.control as Control<ToolFormValues>;
  const isSchema = useWatch({ control, name: 'isSchema' });
  const { fields, append, remove, replace } = useFieldArray({ control, name: 'rows' });
  const error = messageOf(form.formState.errors.rows?.root ?? undefined);
  const other = form.formState.errors.rows?.message;
  const toggle = () => {
    const values = toggled(form.getValues());
    if (!values) {
      form.setError('schema', { message: 'Says more than rows can: nested parts, limits or other types.' });
      return;
    }
    form.clearErrors(['rows', 'schema']);
    form.setValue('isSchema', values.isSchema ?? false, { shouldDirty: true });
    if (values.schema !== undefined) form.setValue('schema', values.schema);
    if (values.rows) replace(values.rows);
  };
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium text-ink">Arguments</legend>
      <p className="text-sm text-pretty text-ink-subtle">
        What the agent finds out and gives. They stand in the address as {'{{name}}'}; those that do not are
        sent as JSON, or in the query of GET and DELETE.
      </p>
      {isSchema ? (
        <TextField
          form={form}
          name="schema"
          label="JSON Schema"
          rows={10}
          isMono
          description="An object with its properties. Patterns and formats are told to the model and not checked."
        />
      ) : (
        fields.map((field, index) => (
          <ArgumentRow key={field.id} form={form} index={index} onRemove={() => remove(index)} />
        ))
      )}
      {error || other ? <FieldError message={error ?? messageOf({ message: other }) ?? ''} /> : null}
      <span className="flex flex-wrap gap-2">
        {isSchema ? null : (
          <Button onClick={() => append(NEW_ARGUMENT)}>
            <ListPlus aria-hidden="true" />
            Add argument
          </Button>
        )}
        <Button variant="ghost" onClick={toggle}>
          <Braces aria-hidden="true" />
          {isSchema ? 'Edit as rows' : 'Edit as JSON Schema'}
        </Button>
      </span>
    </fieldset>
  );
}

function ArgumentRow({ form, index, onRemove }: { form: ToolForm; index: number; onRemove: () => void }) {
  const control = form.control as Control<ToolFormValues>;
  const type = useWatch({ control, name: `rows.${index}.type` });
  return (
    <div className="flex flex-col gap-3 rounded-md border border-line bg-sunken/60 p-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField form={form} name={`rows.${index}.name`} label="Name" isMono placeholder="order_number" />
          <SelectField form={form} name={`rows.${index}.type`} label="Type" options={ARGUMENT_TYPES} />
        </div>
        <IconButton
          label={`Remove argument ${index + 1}`}
          icon={<X aria-hidden="true" />}
          className="mt-6"
          onClick={onRemove}
        />
      </div>
      <TextField
        form={form}
        name={`rows.${index}.description`}
        label="What it is, for the agent"
        placeholder="The order number, like A-1042, as the person says it"
      />
      {type === 'string' ? (
        <TextField
          form={form}
          name={`rows.${index}.choices`}
          label="Allowed values"
          description="With commas between them. Empty: any text."
        />
      ) : null}
      <SwitchField form={form} name={`rows.${index}.isRequired`} label="Required" />
    </div>
  );
}
