import { zodResolver } from '@hookform/resolvers/zod';
import { createFormControl, type Resolver } from 'react-hook-form';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { sparingNewRows } from './new-rows.ts';

type Values = { rows: { say: string; when: string }[] };

const words = z.string().min(1, 'is required');
const schema = z.object({
  rows: z
    .array(z.object({ say: words, when: words }))
    .refine((rows) => rows.length !== 3, 'must not be three'),
});
const empty = { say: '', when: '' };

/** A form of real rows, checked as after one was added: the library gives the name of the list alone. */
function formOf(values: Values) {
  const form = createFormControl<Values>({ defaultValues: values });
  const resolver = sparingNewRows(zodResolver(schema) as Resolver<Values, unknown, Values>, (path) =>
    form.getFieldState(path as 'rows.0.say'),
  );
  const check = async (...names: readonly string[]) => {
    const options = {
      names: names as ('rows' | 'rows.0.say')[],
      fields: {},
      shouldUseNativeValidation: false,
    };
    return (await resolver(form.getValues(), undefined, options)).errors;
  };
  return { form, check };
}

it('says nothing of a row that was just added', async () => {
  const { check } = formOf({ rows: [{ say: 'Hello', when: 'first' }, empty] });
  expect((await check('rows')).rows).toBeUndefined();
});

it('keeps the faults of fields that were left empty, and of no others', async () => {
  const { form, check } = formOf({ rows: [empty, empty] });
  form.setValue('rows.0.say', '', { shouldTouch: true });
  const { rows } = await check('rows');
  expect(rows?.[0]?.say?.message).toBe('is required');
  expect(rows?.[0]?.when).toBeUndefined();
  expect(rows?.[1]).toBeUndefined();
});

it('keeps what is shown already, as after the form was sent', async () => {
  const { form, check } = formOf({ rows: [empty, empty] });
  form.setError('rows.0.when', { type: 'custom', message: 'is required' });
  const { rows } = await check('rows');
  expect(rows?.[0]?.when?.message).toBe('is required');
  expect(rows?.[0]?.say).toBeUndefined();
});

it('keeps the faults of the list itself', async () => {
  const full = { say: 'Hello', when: 'first' };
  const { check } = formOf({ rows: [full, full, full] });
  expect((await check('rows')).rows).toMatchObject({ message: 'must not be three' });
});

it('says all when the whole form is checked, and of a field that is checked by itself', async () => {
  const { check } = formOf({ rows: [empty] });
  expect((await check('rows', 'rows.0.say', 'rows.0.when')).rows?.[0]?.when?.message).toBe('is required');
  expect((await check('rows.0.say')).rows?.[0]?.say?.message).toBe('is required');
});
