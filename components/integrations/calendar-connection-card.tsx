'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { PlugZap } from 'lucide-react';
import { z } from 'zod';
import { SelectField, SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { describeFailure, withoutPrefix } from '#components/forms/server-problems.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { calendarPatch, type ShownCalendar } from '#lib/features/integrations/calendar/fields.ts';
import {
  type IntegrationDetail,
  refreshIntegration,
  updateIntegration,
} from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { ConnectionForm } from './connection-form.tsx';
import { asFields } from './calendar-form.ts';
import { useSaveIntegration } from './use-integration.ts';

const { name, isOn, address } = updateIntegration.body.shape;
const { userName, password, calendarUrl } = calendarPatch.shape;
const schema = z.object({
  name: name.unwrap(),
  isOn: isOn.unwrap(),
  address: address.unwrap(),
  userName: userName.unwrap(),
  password: password.unwrap(),
  calendarUrl: calendarUrl.unwrap(),
});
type Values = z.input<typeof schema>;

type Props = { integration: IntegrationDetail; calendar: ShownCalendar; isReadOnly: boolean };

/** Where the appointments are kept: a calendar of a server, or here. */
export function CalendarConnectionCard({ integration, calendar, isReadOnly }: Props) {
  const save = useSaveIntegration(integration.id);
  const toast = useToast();
  const operation = useOperationForm({
    schema,
    values: valuesOf(integration, calendar),
    fromService: ({ calendar: theirs, ...rest }) => ({ ...rest, ...asFields(theirs) }),
    save: (given, before) => {
      const { name, isOn, address, ...account } = schema.parse(given);
      const isListed = calendar.calendars.some(({ url }) => url === account.calendarUrl);
      // With another server there is nothing to choose from yet.
      const { calendarUrl: chosen, ...user } = account;
      const body = {
        ...user,
        ...(isListed && address === integration.address ? { calendarUrl: chosen } : {}),
      };
      const { password: _, calendarUrl: chosenBefore, userName: userBefore, ...baseOf } = before;
      const base = {
        ...baseOf,
        calendar: {
          userName: userBefore,
          ...('calendarUrl' in body ? { calendarUrl: chosenBefore } : {}),
        },
      };
      return save({ name, isOn, address, calendar: body }, base).catch((error: unknown) => {
        throw withoutPrefix(error, 'calendar.');
      });
    },
    onSaved: (saved) => {
      if (saved.calendar) operation.form.reset(valuesOf(saved, saved.calendar));
      toast({ title: 'Connection saved' });
    },
  });
  const { form, isDirty } = operation;
  const shared = { form, isDisabled: isReadOnly };
  return (
    <ConnectionForm operation={operation} isReadOnly={isReadOnly}>
      <SwitchField {...shared} name="isOn" label="In use" description="Off: no agent is offered its tools." />
      <TextField {...shared} name="name" label="Name" isRequired />
      <TextField
        {...shared}
        name="address"
        label="Address"
        type="url"
        placeholder="https://cloud.example.com/remote.php/dav"
        description="Of a server that speaks CalDAV. Empty: appointments are kept here, by the opening hours alone."
      />
      <TextField {...shared} name="userName" label="User name" />
      <TextField
        {...shared}
        name="password"
        label="App password"
        type="password"
        autoComplete="new-password"
        isNullable
        placeholder={calendar.hasPassword ? 'Kept. Type to replace it' : ''}
        description="Kept encrypted for this user and server, never shown again."
      />
      <CalendarChoice {...shared} integration={integration} calendar={calendar} isDirty={isDirty} />
    </ConnectionForm>
  );
}

type ChoiceProps = {
  form: Parameters<typeof SelectField<Values>>[0]['form'];
  isDisabled: boolean;
  integration: IntegrationDetail;
  calendar: ShownCalendar;
  isDirty: boolean;
};

function CalendarChoice({ form, isDisabled, integration, calendar, isDirty }: ChoiceProps) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const { queryKey } = integrationQueries.detail(workspaceId, integration.id);
  const ask = useMutation({
    mutationFn: () =>
      callOperation(refreshIntegration, { params: { integrationId: integration.id } }, { workspaceId }),
    onSuccess: ({ data }) => queryClient.setQueryData(queryKey, data.integration),
    onError: () => queryClient.invalidateQueries({ queryKey }),
  });
  if (integration.address === '') return null;
  const options = calendar.calendars.map(({ url, name }) => ({ value: url, label: name, detail: url }));
  const count = options.length === 1 ? '1 calendar' : `${options.length} calendars`;
  return (
    <>
      {options.length > 0 ? (
        <SelectField
          form={form}
          name="calendarUrl"
          label="Calendar"
          isDisabled={isDisabled}
          isNullable
          options={options}
          placeholder="Choose a calendar"
        />
      ) : null}
      {isDisabled ? null : (
        <Button className="self-start" isBusy={ask.isPending} disabled={isDirty} onClick={() => ask.mutate()}>
          {ask.isPending ? null : <PlugZap aria-hidden="true" />}
          Test the connection
        </Button>
      )}
      {isDirty && !isDisabled ? (
        <p className="text-sm text-ink-subtle">Save the connection before you test it.</p>
      ) : null}
      <div aria-live="polite" className="empty:hidden">
        {ask.error ? <Notice tone="danger">{describeFailure(ask.error)}</Notice> : null}
        {ask.data && !ask.isPending ? <Notice tone="success">The server answers with {count}.</Notice> : null}
      </div>
    </>
  );
}

function valuesOf({ name, isOn, address }: IntegrationDetail, calendar: ShownCalendar): Values {
  const { userName, calendarUrl } = calendar;
  return { name, isOn, address, userName, calendarUrl, password: null };
}
