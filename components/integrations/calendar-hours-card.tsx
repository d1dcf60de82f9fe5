'use client';

import { type Control, type UseFormReturn, useFieldArray } from 'react-hook-form';
import { Plus, X } from 'lucide-react';
import { FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField, TextField } from '#components/forms/form-fields.tsx';
import { withoutPrefix } from '#components/forms/server-problems.ts';
import { UnsavedChanges } from '#components/forms/unsaved-changes.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import type { ShownCalendar } from '#lib/features/integrations/calendar/fields.ts';
import { CALENDAR_LIMITS } from '#lib/features/integrations/calendar/settings.ts';
import { asFields, hoursForm, type HoursForm, hoursFormOf, patchOfHours } from './calendar-form.ts';
import { useSaveIntegration } from './use-integration.ts';

type Props = { integrationId: string; calendar: ShownCalendar; isReadOnly: boolean };
type FieldsProps = { form: UseFormReturn<HoursForm, unknown, HoursForm>; isDisabled: boolean };

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];
const DAYS = [
  ['mon', 'Monday'],
  ['tue', 'Tuesday'],
  ['wed', 'Wednesday'],
  ['thu', 'Thursday'],
  ['fri', 'Friday'],
  ['sat', 'Saturday'],
  ['sun', 'Sunday'],
] as const;

/** When there are appointments, how long they take, and what they are called. */
export function CalendarHoursCard({ integrationId, calendar, isReadOnly }: Props) {
  const save = useSaveIntegration(integrationId);
  const toast = useToast();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: hoursForm,
    values: hoursFormOf(calendar),
    fromService: (current) => {
      const settings = { ...calendar.settings, ...asFields(current['calendar']) };
      return hoursFormOf({ settings });
    },
    save: (values, before) =>
      save({ calendar: patchOfHours(values) }, { calendar: patchOfHours(before) }).catch((error: unknown) => {
        throw withoutPrefix(error, 'calendar.');
      }),
    onSaved: (saved) => {
      if (saved.calendar) form.reset(hoursFormOf(saved.calendar));
      toast({ title: 'Appointments saved' });
    },
  });
  const shared = { form, isDisabled: isReadOnly };
  return (
    <form noValidate aria-label="Appointments" onSubmit={(event) => void submit(event)}>
      <Card
        title="Appointments"
        description="Agents offer only these times, without those that are taken."
        footer={
          isReadOnly ? (
            <span>Only admins and owners can change them.</span>
          ) : (
            <>
              <span>Calls in progress use them at once.</span>
              <Button type="submit" variant="primary" disabled={!isDirty} isBusy={isSaving}>
                Save appointments
              </Button>
            </>
          )
        }
      >
        <div className="flex flex-col gap-5">
          <FormFailure message={form.formState.errors.root?.server?.message} />
          <WeekFields {...shared} />
          <ExceptionFields {...shared} />
          <SlotFields {...shared} usedTimeZone={calendar.usedTimeZone} />
          <UnsavedChanges isDirty={isDirty} />
        </div>
      </Card>
    </form>
  );
}

function WeekFields({ form, isDisabled }: FieldsProps) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium text-ink">Opening hours</legend>
      <p className="text-sm text-pretty text-ink-subtle">
        Like 9:00–12:30, 14:00–18:00. An empty day is closed.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        {DAYS.map(([day, label]) => (
          <TextField
            key={day}
            form={form}
            name={`week.${day}`}
            label={label}
            isDisabled={isDisabled}
            placeholder="Closed"
          />
        ))}
      </div>
    </fieldset>
  );
}

function ExceptionFields({ form, isDisabled }: FieldsProps) {
  const control = form.control as Control<HoursForm>;
  const { fields, append, remove } = useFieldArray({ control, name: 'exceptions' });
  return (
    <fieldset className="flex min-w-0 flex-col gap-3">
      <legend className="mb-1 text-sm font-medium text-ink">Holidays and exceptions</legend>
      {fields.length === 0 ? (
        <p className="text-sm text-ink-subtle">None. Days that differ from their weekday stand here.</p>
      ) : null}
      {fields.map((field, index) => (
        <div key={field.id} className="flex items-end gap-2">
          <TextField
            form={form}
            name={`exceptions.${index}.date`}
            label="Day"
            placeholder="2026-12-25"
            isDisabled={isDisabled}
            className="w-32 shrink-0"
          />
          <TextField
            form={form}
            name={`exceptions.${index}.hours`}
            label="Hours"
            placeholder="Closed"
            isDisabled={isDisabled}
            className="min-w-0 flex-1"
          />
          {isDisabled ? null : (
            <IconButton
              label={`Remove exception ${index + 1}`}
              icon={<X aria-hidden="true" />}
              onClick={() => remove(index)}
            />
          )}
        </div>
      ))}
      {isDisabled ? null : (
        <Button
          className="self-start"
          disabled={fields.length >= CALENDAR_LIMITS.exceptions}
          onClick={() => append({ date: '', hours: '' })}
        >
          <Plus aria-hidden="true" />
          Add day
        </Button>
      )}
    </fieldset>
  );
}

function SlotFields({ usedTimeZone, ...shared }: FieldsProps & { usedTimeZone: string }) {
  const { slotMinutes, bufferMinutes, noticeMinutes, daysAhead } = CALENDAR_LIMITS;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <NumberField {...shared} {...slotMinutes} name="slotMinutes" label="Length in minutes" isRequired />
      <NumberField
        {...shared}
        {...bufferMinutes}
        name="bufferMinutes"
        label="Kept free around it"
        isRequired
        description="Minutes before and after."
      />
      <NumberField
        {...shared}
        {...noticeMinutes}
        name="noticeMinutes"
        label="Notice in minutes"
        isRequired
        description="Nothing is offered sooner."
      />
      <NumberField
        {...shared}
        {...daysAhead}
        name="daysAhead"
        label="Days ahead"
        isRequired
        description="Nothing is offered later."
      />
      <TextField
        {...shared}
        name="timeZone"
        label="Time zone"
        isNullable
        suggestions={TIME_ZONES}
        placeholder={usedTimeZone}
        description="Empty: the workspace’s."
      />
      <TextField
        {...shared}
        name="title"
        label="Title of the event"
        isRequired
        description="With {{topic}}, {{name}} and {{phone}}."
      />
    </div>
  );
}
