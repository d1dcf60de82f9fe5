'use client';

import {
  type Control,
  type FieldPath,
  type FieldValues,
  type UseFormReturn,
  useController,
} from 'react-hook-form';
import { Checkbox } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { messageOf } from './use-operation-form.ts';

/** Several of a few choices, as one list of values that always stands in the order of `choices`. */
export function CheckGroupField<Values extends FieldValues>(props: {
  form: UseFormReturn<Values, unknown, Values>;
  name: FieldPath<Values>;
  label: string;
  choices: readonly (readonly [value: string, label: string])[];
  isDisabled: boolean;
}) {
  const { field, fieldState } = useController({
    control: props.form.control as Control<Values>,
    name: props.name,
  });
  const chosen: readonly string[] = field.value ?? [];
  const toggle = (value: string, isOn: boolean) =>
    field.onChange(
      props.choices.map(([each]) => each).filter((each) => (each === value ? isOn : chosen.includes(each))),
    );
  const error = messageOf(fieldState.error);
  return (
    <fieldset>
      <legend className="mb-2 text-sm font-medium text-ink">{props.label}</legend>
      <div className="flex flex-wrap gap-x-5 gap-y-2">
        {props.choices.map(([value, label]) => (
          <Field key={value} layout="check" label={label}>
            <Checkbox
              checked={chosen.includes(value)}
              disabled={props.isDisabled}
              onCheckedChange={(isOn) => toggle(value, isOn === true)}
            />
          </Field>
        ))}
      </div>
      {error ? <p className="mt-1 text-sm text-danger-text">{error}</p> : null}
    </fieldset>
  );
}
