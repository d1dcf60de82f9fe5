'use client';

import type { ReactNode } from 'react';
import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from 'react-hook-form';
import { Counter } from '#components/forms/form-fields.tsx';
import { blankToNull } from '#components/forms/text-limits.ts';
import { messageOf } from '#components/forms/use-operation-form.ts';
import { Field } from '#components/ui/field.tsx';
import { type TemplateProblem, TemplateTextarea } from './template-textarea.tsx';

type TemplateFieldProps<Values extends FieldValues> = {
  form: UseFormReturn<Values, unknown, Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  description?: ReactNode;
  limit?: number | undefined;
  /** Of all fields, as the preview reports them; this one picks its own. */
  problems?: readonly (TemplateProblem & { field: string })[] | undefined;
  size?: 'page' | 'line';
  isNullable?: boolean;
  isRequired?: boolean;
  isReadOnly?: boolean;
  placeholder?: string;
};

/** A template in a form: counted, marked, and with its errors told once, at their place. */
export function TemplateField<Values extends FieldValues>(props: TemplateFieldProps<Values>) {
  const { field, fieldState } = useController({
    control: props.form.control as Control<Values>,
    name: props.name,
  });
  const { ref, name, onBlur } = field;
  const value = typeof field.value === 'string' ? field.value : '';
  const problems = (props.problems ?? []).filter((problem) => problem.field === props.name);
  const error = messageOf(fieldState.error);
  const isToldBelow = problems.length > 0 && error !== undefined && /^line \d+, column \d+/i.test(error);
  const set = (text: string) =>
    field.onChange(
      (props.isNullable ? blankToNull(text) : text) as FieldPathValue<Values, FieldPath<Values>>,
    );
  return (
    <Field
      label={props.label}
      description={props.description}
      error={isToldBelow ? undefined : error}
      isRequired={props.isRequired ?? false}
      aside={props.limit === undefined ? undefined : <Counter used={value.length} limit={props.limit} />}
    >
      <TemplateTextarea
        ref={ref}
        name={name}
        value={value}
        onChange={set}
        onBlur={onBlur}
        problems={problems}
        size={props.size ?? 'page'}
        isReadOnly={props.isReadOnly ?? false}
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      />
    </Field>
  );
}
