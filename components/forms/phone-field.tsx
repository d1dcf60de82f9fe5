'use client';

import type { ReactNode } from 'react';
import type { FieldValues } from 'react-hook-form';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { formatPhoneNumber, type ReadNumber } from '#lib/phone-number.ts';
import { type BoundProps, useBound } from './form-fields.tsx';
import { numberError, useWrittenNumber } from './use-number-reader.ts';

type PhoneFieldProps<Values extends FieldValues> = BoundProps<Values> & {
  /** An empty field is sent as null. */
  isNullable?: boolean;
  /** An empty field is not sent at all. */
  isOptional?: boolean;
  placeholder?: string;
};

/** A phone number however a person writes it. It is shown, and sent, in international form. */
export function PhoneField<Values extends FieldValues>(props: PhoneFieldProps<Values>) {
  const { ref, name, value, onBlur, set, error } = useBound(props.form, props.name);
  const empty = props.isNullable ? null : props.isOptional ? undefined : '';
  const { text, write, hint, reading } = useWrittenNumber(typeof value === 'string' ? value : '', (number) =>
    set(number === '' ? empty : number),
  );
  return (
    <Field
      label={props.label}
      description={
        <WithReading
          text={text}
          reading={reading}
          description={props.description ?? (reading?.ok ? undefined : hint)}
        />
      }
      error={numberError(error, reading)}
      isRequired={props.isRequired ?? false}
      {...(props.className ? { className: props.className } : {})}
    >
      <Input
        ref={ref}
        name={name}
        type="tel"
        autoComplete="off"
        value={text}
        onBlur={onBlur}
        onChange={(event) => write(event.target.value)}
        disabled={props.isDisabled ?? false}
        className="figures"
        {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      />
    </Field>
  );
}

/** What a text was read as, before the description, where it does not stand there already in international form. */
export function WithReading({
  text,
  reading,
  description,
}: {
  text: string;
  reading: ReadNumber | null;
  description?: ReactNode;
}) {
  const isPlain = reading?.ok && text.replace(/[\s()./-]/g, '') === reading.number;
  return (
    <>
      <output className="block empty:hidden">
        {reading?.ok && (!isPlain || reading.guess !== null) ? (
          <>
            Read as <span className="figures font-medium text-ink">{formatPhoneNumber(reading.number)}</span>.
            {reading.guess === null ? null : ` ${reading.guess}`}
          </>
        ) : null}
      </output>
      {description}
    </>
  );
}
