'use client';

import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useState, useSyncExternalStore } from 'react';
import { PhoneCall } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { WithReading } from '#components/forms/phone-field.tsx';
import { useNumberReader } from '#components/forms/use-number-reader.ts';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { PlacedCall } from './placed-call.tsx';

const REMEMBERED = 'callwright.own-number';
const subscribeNever = () => () => undefined;

/** The number as it is typed, what it is read as, and the call. */
function useCallToNumber(place: (to: string) => Promise<string>, isDisabled: boolean) {
  const remembered = useSyncExternalStore(
    subscribeNever,
    () => localStorage.getItem(REMEMBERED) ?? '',
    () => '',
  );
  const [typed, setTyped] = useState<string | null>(null);
  const to = typed ?? remembered;
  const { read, hint } = useNumberReader();
  const reading = to.trim() === '' ? null : read(to);
  const [isSubmitted, setIsSubmitted] = useState(false);
  const call = useMutation({
    mutationFn: place,
    onSuccess: () => localStorage.setItem(REMEMBERED, to.trim()),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsSubmitted(true);
    if (reading?.ok && !isDisabled) call.mutate(reading.number);
  };
  const fault = isSubmitted && reading?.ok === false ? reading.fault : undefined;
  return { to, type: setTyped, call, reading, hint, fault, submit };
}

/** One number to call, remembered in this browser, and the call as it happens. `place` gives the call's id. */
export function CallNumberForm({
  label,
  action,
  place,
  description,
  isDisabled = false,
  children,
}: {
  label: string;
  action: string;
  place: (to: string) => Promise<string>;
  description?: ReactNode;
  /** The call could not be placed as it stands. */
  isDisabled?: boolean;
  /** What else is filled in before. */
  children?: ReactNode;
}) {
  const { to, type, call, reading, hint, fault, submit } = useCallToNumber(place, isDisabled);
  return (
    <div className="flex flex-col gap-4">
      <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-x-3 gap-y-4">
        {children ? <div className="flex w-full flex-col gap-4">{children}</div> : null}
        <Field
          label={label}
          description={<WithReading text={to} reading={reading} description={description ?? hint} />}
          error={fault}
          isRequired
          className="min-w-56 flex-1"
        >
          <Input
            type="tel"
            autoComplete="tel"
            placeholder="+1 555 010 9900"
            value={to}
            onChange={(event) => type(event.target.value)}
          />
        </Field>
        <Button
          type="submit"
          variant="primary"
          className="sm:mt-6.5"
          isBusy={call.isPending}
          disabled={isDisabled}
        >
          <PhoneCall aria-hidden="true" />
          {action}
        </Button>
      </form>
      {call.error ? (
        <Notice tone="danger" title="The call was not placed">
          {describeFailure(call.error)}
        </Notice>
      ) : null}
      {call.data === undefined ? null : <PlacedCall key={call.data} callId={call.data} />}
    </div>
  );
}
