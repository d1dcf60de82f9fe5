'use client';

import { flushSync } from 'react-dom';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { ListPlus, X } from 'lucide-react';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { SelectField, TextField } from '#components/forms/form-fields.tsx';
import { messageOf, useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { FieldError } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { putResultFields, resultFields } from '#lib/features/agents/results/contract.ts';
import { resultFieldQueries } from '#lib/features/agents/results/queries.ts';
import { FIELD_TYPES, RESULT_LIMITS } from '#lib/features/agents/results/rules.ts';
import { callOperation } from '#lib/http/client.ts';
import {
  fieldOf,
  NEW_FIELD,
  resultFieldsForm,
  type ResultFieldsValues,
  TYPE_WORDS,
  valuesOf,
} from './result-fields-form.ts';
import { useMayEdit } from './use-agent.ts';

type FieldsForm = UseFormReturn<ResultFieldsValues, unknown, ResultFieldsValues>;

const TYPES = FIELD_TYPES.map((value) => ({ value, label: TYPE_WORDS[value] }));

/** What every conversation of the agent shall yield. */
export function ResultFieldsTab({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const query = resultFieldQueries.fields(workspaceId, agentId);
  const { data } = useSuspenseQuery(query);
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayEdit = useMayEdit();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: resultFieldsForm,
    values: valuesOf(data.fields),
    fromService: ({ fields }) => valuesOf(resultFields.parse(fields)),
    save: async (values: ResultFieldsValues, before: ResultFieldsValues) => {
      const base = { fields: before.fields.map(fieldOf) };
      const body = { fields: values.fields.map(fieldOf), base };
      return (await callOperation(putResultFields, { params: { agentId }, body }, { workspaceId })).data;
    },
    onSaved: (saved) => {
      queryClient.setQueryData(query.queryKey, saved);
      toast({ title: 'Fields saved' });
    },
  });
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-4xl flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <Card
        title="Results"
        description="What is read from every conversation when it is over. Each value keeps the words that it rests on; what was not said stays empty."
      >
        <Fields form={form} isReadOnly={!mayEdit} />
      </Card>
      {data.former.length > 0 ? <FormerFields former={data.former} /> : null}
      {mayEdit ? <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()} /> : null}
    </form>
  );
}

function Fields({ form, isReadOnly }: { form: FieldsForm; isReadOnly: boolean }) {
  const control = form.control as Control<ResultFieldsValues>;
  const fields = useWatch({ control, name: 'fields' });
  // An array of the form library's own is checked as it grows: a row would be full of faults before it is filled in.
  const set = (next: ResultFieldsValues['fields']) => {
    form.clearErrors('fields');
    form.setValue('fields', next, { shouldDirty: true });
  };
  const add = () => {
    flushSync(() => set([...fields, NEW_FIELD]));
    form.setFocus(`fields.${fields.length}.name`);
  };
  const { errors } = form.formState;
  const error = messageOf(errors.fields?.root ?? undefined) ?? messageOf({ message: errors.fields?.message });
  return (
    <div className="flex flex-col gap-3">
      {fields.length === 0 ? (
        <p className="text-sm text-ink-subtle">
          No fields yet. A field has a name, a type and the question that it answers, such as “How many guests
          are expected?”
        </p>
      ) : null}
      {fields.map((_, index) => (
        <FieldRow
          // oxlint-disable-next-line react/no-array-index-key -- a row is its place in the form
          key={index}
          form={form}
          index={index}
          isReadOnly={isReadOnly}
          onRemove={() => set(fields.filter((_field, place) => place !== index))}
        />
      ))}
      {error ? <FieldError message={error} /> : null}
      {isReadOnly ? null : (
        <span>
          <Button onClick={add} disabled={fields.length >= RESULT_LIMITS.fields}>
            <ListPlus aria-hidden="true" />
            Add field
          </Button>
        </span>
      )}
    </div>
  );
}

type FieldRowProps = { form: FieldsForm; index: number; isReadOnly: boolean; onRemove: () => void };

function FieldRow({ form, index, isReadOnly, onRemove }: FieldRowProps) {
  const type = useWatch({
    control: form.control as Control<ResultFieldsValues>,
    name: `fields.${index}.type`,
  });
  return (
    <fieldset className="flex min-w-0 flex-col gap-3 rounded-md border border-line bg-sunken/60 p-3">
      <legend className="sr-only">Field {index + 1}</legend>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2">
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            form={form}
            name={`fields.${index}.name`}
            label="Name"
            isMono
            isDisabled={isReadOnly}
            placeholder="number_of_guests"
          />
          <SelectField
            form={form}
            name={`fields.${index}.type`}
            label="Type"
            options={TYPES}
            isDisabled={isReadOnly}
          />
        </div>
        {isReadOnly ? null : (
          <IconButton
            label={`Remove field ${index + 1}`}
            icon={<X aria-hidden="true" />}
            className="mt-6"
            onClick={onRemove}
          />
        )}
      </div>
      <TextField
        form={form}
        name={`fields.${index}.question`}
        label="Question"
        limit={RESULT_LIMITS.question}
        isDisabled={isReadOnly}
        placeholder="How many guests are expected?"
      />
      {type === 'choice' ? (
        <TextField
          form={form}
          name={`fields.${index}.choices`}
          label="Choices"
          rows={4}
          isDisabled={isReadOnly}
          description="One a line."
        />
      ) : null}
    </fieldset>
  );
}

function FormerFields({ former }: { former: readonly { name: string; type: keyof typeof TYPE_WORDS }[] }) {
  return (
    <Card
      title="Former fields"
      description="Earlier conversations have them and keep them; they can still be filtered by and exported."
    >
      <ul className="flex flex-wrap gap-2">
        {former.map(({ name, type }) => (
          <li key={`${name} ${type}`} className="rounded-sm border border-line bg-sunken px-2 py-0.5 text-sm">
            <span className="font-mono text-xs break-all text-ink">{name}</span>{' '}
            <span className="text-ink-subtle">{TYPE_WORDS[type]}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
