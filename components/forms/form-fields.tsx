'use client';

import { type ReactNode, useId } from 'react';
import {
  type Control,
  type FieldPath,
  type FieldPathValue,
  type FieldValues,
  type UseFormReturn,
  useController,
} from 'react-hook-form';
import { Switch } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input, Textarea } from '#components/ui/input.tsx';
import { Select, type SelectOption } from '#components/ui/select.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { blankToNull } from './text-limits.ts';
import { messageOf } from './use-operation-form.ts';

type Form<Values extends FieldValues> = UseFormReturn<Values, unknown, Values>;

export type BoundProps<Values extends FieldValues> = {
  form: Form<Values>;
  name: FieldPath<Values>;
  label: ReactNode;
  description?: ReactNode;
  isRequired?: boolean;
  isDisabled?: boolean;
  className?: string;
};

export function useBound<Values extends FieldValues>(form: Form<Values>, name: FieldPath<Values>) {
  const { field, fieldState } = useController({ control: form.control as Control<Values>, name });
  const set = (value: unknown) => field.onChange(value as FieldPathValue<Values, FieldPath<Values>>);
  const { ref, name: fieldName, value, onBlur } = field;
  return { ref, name: fieldName, value: value as unknown, onBlur, set, error: messageOf(fieldState.error) };
}

type TextFieldProps<Values extends FieldValues> = BoundProps<Values> & {
  /** Shows how many characters are used; `maxCharacters(schema, name)` reads it from the operation. */
  limit?: number | undefined;
  /** An empty field is sent as null. */
  isNullable?: boolean;
  /** An empty field is not sent at all. */
  isOptional?: boolean;
  /** More than one line. */
  rows?: number;
  isMono?: boolean;
  placeholder?: string;
  type?: 'text' | 'email' | 'url' | 'tel' | 'password';
  autoComplete?: string;
  aside?: ReactNode;
  /** Offered while typing; anything else may be typed too. */
  suggestions?: readonly string[];
};

export function TextField<Values extends FieldValues>(props: TextFieldProps<Values>) {
  const { ref, name, value, onBlur, set, error } = useBound(props.form, props.name);
  const listId = useId();
  const text = typeof value === 'string' ? value : '';
  const shared = {
    name,
    ref,
    value: text,
    onBlur,
    onChange: (event: { target: { value: string } }) => set(emptied(event.target.value, props)),
    disabled: props.isDisabled ?? false,
    autoComplete: props.autoComplete ?? 'off',
    ...(props.placeholder === undefined ? {} : { placeholder: props.placeholder }),
  };
  return (
    <Field
      label={props.label}
      description={props.description}
      error={error}
      isRequired={props.isRequired ?? false}
      aside={props.limit === undefined ? props.aside : <Counter used={text.length} limit={props.limit} />}
      {...(props.className ? { className: props.className } : {})}
    >
      {props.rows === undefined ? (
        <Input
          {...shared}
          type={props.type ?? 'text'}
          className={props.isMono ? 'font-mono' : ''}
          {...(props.suggestions ? { list: listId } : {})}
        />
      ) : (
        <Textarea
          {...shared}
          rows={props.rows}
          className={classNames('resize-y', props.isMono && 'font-mono')}
        />
      )}
    </Field>
  );
}

function emptied(
  value: string,
  how: { isNullable?: boolean; isOptional?: boolean },
): string | null | undefined {
  if (how.isNullable) return blankToNull(value);
  return how.isOptional && value === '' ? undefined : value;
}

const count = new Intl.NumberFormat('en-US');

/** Used and allowed characters; turns red past the limit, since the field lets people paste more and then cut. */
export function Counter({ used, limit }: { used: number; limit: number }) {
  return (
    <span className={used > limit ? 'font-medium text-danger-text' : ''}>
      {count.format(used)} / {count.format(limit)}
    </span>
  );
}

export function SwitchField<Values extends FieldValues>(props: BoundProps<Values>) {
  const { ref, name, value, onBlur, set, error } = useBound(props.form, props.name);
  return (
    <Field
      layout="row"
      label={props.label}
      description={props.description}
      error={error}
      {...(props.className ? { className: props.className } : {})}
    >
      <Switch
        ref={ref}
        name={name}
        checked={value === true}
        onCheckedChange={set}
        onBlur={onBlur}
        disabled={props.isDisabled ?? false}
      />
    </Field>
  );
}

type SelectFieldProps<Values extends FieldValues> = BoundProps<Values> & {
  options: readonly SelectOption[];
  /** The option with the value '' stands for null. */
  isNullable?: boolean;
  placeholder?: string;
};

export function SelectField<Values extends FieldValues>(props: SelectFieldProps<Values>) {
  const { value, onBlur, set, error } = useBound(props.form, props.name);
  return (
    <Field
      label={props.label}
      description={props.description}
      error={error}
      isRequired={props.isRequired ?? false}
      {...(props.className ? { className: props.className } : {})}
    >
      <Select
        options={props.options}
        value={typeof value === 'string' ? value : ''}
        onValueChange={(value) => set(props.isNullable ? blankToNull(value) : value)}
        onBlur={onBlur}
        disabled={props.isDisabled ?? false}
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      />
    </Field>
  );
}

/** A whole number; an emptied field is null where that means "no limit". */
export function NumberField<Values extends FieldValues>(
  props: BoundProps<Values> & {
    min?: number;
    max?: number;
    step?: number;
    isNullable?: boolean;
    placeholder?: string;
  },
) {
  const { ref, name, value, onBlur, set, error } = useBound(props.form, props.name);
  return (
    <Field
      label={props.label}
      description={props.description}
      error={error}
      isRequired={props.isRequired ?? false}
      {...(props.className ? { className: props.className } : {})}
    >
      <Input
        ref={ref}
        name={name}
        type="number"
        inputMode="decimal"
        min={props.min}
        max={props.max}
        step={props.step ?? 1}
        value={typeof value === 'number' && Number.isFinite(value) ? value : ''}
        onBlur={onBlur}
        onChange={(event) =>
          set(event.target.value === '' ? (props.isNullable ? null : Number.NaN) : event.target.valueAsNumber)
        }
        disabled={props.isDisabled ?? false}
        className="figures"
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      />
    </Field>
  );
}
