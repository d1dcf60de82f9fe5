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
import { ApiError } from '#lib/http/client.ts';
import { reasonOf } from '#lib/http/reasons.ts';
import { conflictsOf, isSame } from './conflict.ts';
import { useAskConflict } from './conflict-dialog.tsx';
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
  /** `base`: the same fields as the form began with, which the service compares with what is there. */
  save: (body: z.input<Schema>, base: z.input<Schema>) => Promise<Saved>;
  /** Keeps the body without publishing it. */
  saveDraft?: (body: z.input<Schema>, base: z.input<Schema>) => Promise<unknown>;
  /** What the service says of changed fields as values of the form, where they are named otherwise there. */
  fromService?: (current: Record<string, unknown>) => Partial<z.input<Schema>>;
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
  const { isDirty, dirtyFields, defaultValues } = form.formState;
  const askConflict = useAskConflict();

  // What was saved elsewhere appears here as long as nobody is typing.
  const incoming = JSON.stringify(values);
  useEffect(() => {
    if (!isDirty && !isSaving) form.reset(JSON.parse(incoming) as Values);
    // Only new values may reset the form; `isDirty` turning false by itself must not.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [incoming]);

  const bodyOf = (given: Values): Values =>
    onlyChanged ? (changedOnly(given, dirtyFields) as Values) : given;

  /** Where somebody saved meanwhile, both are shown, and what is chosen is saved on what is there now. */
  const resolve = async <Kept>(
    error: unknown,
    { values: mine, base }: Edit<Values>,
    keep: Keep<Values, Kept>,
  ): Promise<void> => {
    if (!(error instanceof ApiError) || !error.current) throw error;
    const theirs = (options.fromService ?? asGiven)(error.current) as Partial<Values>;
    const conflicts = conflictsOf({ base, mine, theirs });
    const isUnseen = conflicts.both.length === 0 && Object.keys(conflicts.merged).length === 0;
    const chosen = isUnseen ? 'later' : await askConflict(conflicts);
    if (chosen === 'later') throw new ApiError(error.status, error.code, LATER, []);
    const next = { base: { ...base, ...theirs }, values: { ...mine, ...chosen } };
    form.reset(next.base as DefaultValues<Values>);
    for (const name of Object.keys(next.values) as FieldPath<Values>[])
      if (!isSame(next.values[name], next.base[name]))
        form.setValue(name, next.values[name] as never, { shouldDirty: true });
    await attempt(next, keep);
  };
  const attempt = async <Kept>(edit: Edit<Values>, keep: Keep<Values, Kept>): Promise<void> => {
    const names = Object.keys(edit.values).filter(
      (name) => !onlyChanged || !isSame(edit.values[name], edit.base[name]),
    );
    if (names.length === 0) return;
    const only = (all: Values) => Object.fromEntries(names.map((name) => [name, all[name]])) as Values;
    try {
      const kept = await keep.save(only(edit.values), only(edit.base));
      form.reset(form.getValues());
      keep.done(kept);
    } catch (error) {
      await resolve(error, edit, keep);
    }
  };
  const submitBy = <Kept>(keep: Keep<Values, Kept>) =>
    form.handleSubmit(async (given) => {
      setSaving(true);
      try {
        await attempt({ values: given, base: (defaultValues ?? given) as Values }, keep);
      } catch (error) {
        showProblems(form, error, new Set(Object.keys(schema.shape)));
      } finally {
        setSaving(false);
      }
    });
  const submit = (event?: React.BaseSyntheticEvent) =>
    submitBy({ save, done: (saved) => onSaved?.(saved) })(event);
  const submitDraft = () =>
    submitBy({ save: async (body, base) => options.saveDraft?.(body, base), done: () => undefined })();

  return { form, submit, submitDraft, isSaving, isDirty, pendingBody: () => bodyOf(form.getValues()) };
}

type Edit<Values> = { values: Values; base: Values };
type Keep<Values, Kept> = {
  save: (body: Values, base: Values) => Promise<Kept>;
  done: (kept: Kept) => void;
};

const LATER = 'Somebody else saved this meanwhile. Nothing of yours was saved or lost; save again to choose.';
const asGiven = (current: Record<string, unknown>): Record<string, unknown> => current;

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
