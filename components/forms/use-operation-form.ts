'use client';

import { zodResolver } from '@hookform/resolvers/zod';
import { useEffect, useState } from 'react';
import {
  type DefaultValues,
  type FieldPath,
  type FieldValues,
  type Resolver,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import type { z } from 'zod';
import { reasonOf } from '#lib/http/reasons.ts';
import { sparingNewRows } from './new-rows.ts';
import { asSentence, showProblems } from './server-problems.ts';

export type FormSchema = z.ZodObject & z.ZodType<FieldValues, FieldValues>;

export type OperationForm<Values extends FieldValues> = {
  form: UseFormReturn<Values, unknown, Values>;
  submit: (event?: React.BaseSyntheticEvent) => Promise<void>;
  /** The same by the option `saveDraft`. */
  submitDraft: () => Promise<void>;
  isSaving: boolean;
  isDirty: boolean;
  /** The body that saving now would send, for the API call shown beside the form. */
  pendingBody: () => Partial<Values>;
};

/**
 * A form that is checked by the operation's own body schema, saves through that operation, and shows the
 * service's field problems where they belong. With `onlyChanged` only the fields that were touched are sent, so
 * that two people editing different fields do not undo each other.
 */
export function useOperationForm<Schema extends FormSchema, Saved>(options: {
  schema: Schema;
  values: z.input<Schema>;
  save: (body: z.input<Schema>) => Promise<Saved>;
  /** Keeps the body without publishing it. */
  saveDraft?: (body: z.input<Schema>) => Promise<unknown>;
  onSaved?: (saved: Saved) => void;
  onlyChanged?: boolean;
}): OperationForm<z.input<Schema>> {
  type Values = z.input<Schema>;
  const { schema, values, save, onSaved, onlyChanged = false } = options;
  const [isSaving, setSaving] = useState(false);
  const form: UseFormReturn<Values, unknown, Values> = useForm<Values, unknown, Values>({
    defaultValues: values as DefaultValues<Values>,
    mode: 'onTouched',
    resolver: sparingNewRows(resolverOf(schema), (path) => form.getFieldState(path as FieldPath<Values>)),
  });
  const { isDirty, dirtyFields } = form.formState;

  // What was saved elsewhere appears here as long as nobody is typing.
  const incoming = JSON.stringify(values);
  useEffect(() => {
    if (!isDirty && !isSaving) form.reset(JSON.parse(incoming) as Values);
    // Only new values may reset the form; `isDirty` turning false by itself must not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [incoming]);

  const bodyOf = (given: Values): Values =>
    onlyChanged ? (changedOnly(given, dirtyFields) as Values) : given;

  const submitBy = (keep: (body: Values) => Promise<void>) =>
    form.handleSubmit(async (given) => {
      setSaving(true);
      try {
        await keep(bodyOf(given));
      } catch (error) {
        showProblems(form, error, new Set(Object.keys(schema.shape)));
      } finally {
        setSaving(false);
      }
    });
  const submit = (event?: React.BaseSyntheticEvent) =>
    submitBy(async (body) => {
      const saved = await save(body);
      form.reset(form.getValues());
      onSaved?.(saved);
    })(event);
  const submitDraft = () =>
    submitBy(async (body) => {
      await options.saveDraft?.(body);
      form.reset(form.getValues());
    })();

  return { form, submit, submitDraft, isSaving, isDirty, pendingBody: () => bodyOf(form.getValues()) };
}

function resolverOf<Values extends FieldValues>(schema: FormSchema): Resolver<Values, unknown, Values> {
  return zodResolver(
    schema,
    { error: (issue) => (issue.input === '' ? 'is required' : reasonOf(issue)) },
    { raw: true },
  ) as never;
}

function changedOnly(values: FieldValues, dirtyFields: object): FieldValues {
  return Object.fromEntries(Object.entries(values).filter(([name]) => name in dirtyFields));
}

/** The message to show under a field, as a sentence. */
export function messageOf(error: { message?: string | undefined } | undefined): string | undefined {
  return error?.message ? asSentence(error.message) : undefined;
}
