'use client';

import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { callsAtOnce, useLines } from '#components/calls/use-lines.ts';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField, TextField } from '#components/forms/form-fields.tsx';
import { HoursFields } from '#components/forms/hours-fields.tsx';
import { messageOf, useOperationForm } from '#components/forms/use-operation-form.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { Switch } from '#components/ui/checkbox.tsx';
import { Field } from '#components/ui/field.tsx';
import { Input } from '#components/ui/input.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { type CampaignDetail, updateCampaign } from '#lib/features/campaigns/contract.ts';
import { campaignQueries } from '#lib/features/campaigns/queries.ts';
import { CAMPAIGN_LIMITS } from '#lib/features/campaigns/rules.ts';
import { DEFAULT_CALLING_HOURS } from '#lib/calling-hours/calling-hours.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = updateCampaign.body;
type Values = z.input<typeof schema>;
type FormProps = { form: UseFormReturn<Values, unknown, Values>; isDisabled: boolean };

function valuesOf({ name, callsPerMinute, startAt, callingHours }: CampaignDetail): Values {
  return { name, callsPerMinute, startAt, callingHours };
}

/** When and how fast people are called; changed at any time until the campaign is over. */
export function ScheduleForm({
  campaign,
  onUnsaved,
}: {
  campaign: CampaignDetail;
  /** Told whether something was changed and not saved: it must not be started so. */
  onUnsaved: (isUnsaved: boolean) => void;
}) {
  const { id: workspaceId, role } = useWorkspace();
  const lines = useLines(campaign.from);
  const queryClient = useQueryClient();
  const toast = useToast();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema,
    values: valuesOf(campaign),
    onlyChanged: true,
    save: (body, base) =>
      callOperation(
        updateCampaign,
        { params: { campaignId: campaign.id }, body: { ...body, base } },
        { workspaceId },
      ),
    onSaved: ({ data }) => {
      queryClient.setQueryData(campaignQueries.detail(workspaceId, campaign.id).queryKey, data);
      toast({ title: 'Saved' });
    },
  });
  useEffect(() => {
    onUnsaved(isDirty);
    return () => onUnsaved(false);
  }, [isDirty, onUnsaved]);
  const shared = { form, isDisabled: role === 'viewer' };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <Card
        title="Schedule"
        description="Retries follow from the prompt, opt-outs and limits from the workspace."
      >
        <div className="flex flex-col gap-5">
          <TextField {...shared} name="name" label="Name" isRequired limit={CAMPAIGN_LIMITS.name} />
          <div className="grid gap-5 sm:grid-cols-2">
            <NumberField
              {...shared}
              name="callsPerMinute"
              label="Calls a minute"
              isRequired
              min={1}
              max={CAMPAIGN_LIMITS.maxCallsPerMinute}
              description={`At most. ${callsAtOnce(lines) ?? 'Free lines of the number and of the workspace decide as well.'}`}
            />
            <StartField {...shared} />
          </div>
          <OwnHours {...shared} />
        </div>
      </Card>
      {role === 'viewer' ? null : (
        <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()} />
      )}
    </form>
  );
}

function StartField({ form, isDisabled }: FormProps) {
  const startAt = useWatch({ control: form.control as Control<Values>, name: 'startAt' });
  const error = messageOf(form.formState.errors.startAt);
  return (
    <Field
      label="Not before"
      description="In your own time zone. Empty: as soon as it is started."
      error={error}
    >
      <Input
        type="datetime-local"
        disabled={isDisabled}
        value={startAt ? localTime(startAt) : ''}
        onChange={(event) => {
          const { value } = event.target;
          form.setValue('startAt', value === '' ? null : new Date(value).toISOString(), {
            shouldDirty: true,
            shouldValidate: true,
          });
        }}
      />
    </Field>
  );
}

/** As the field of a browser wants it: the reader's own clock, to the minute. */
function localTime(iso: string): string {
  const date = new Date(iso);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function OwnHours(shared: FormProps) {
  const { form, isDisabled } = shared;
  const hours = useWatch({ control: form.control as Control<Values>, name: 'callingHours' });
  return (
    <>
      <Field
        layout="row"
        label="Hours of its own"
        description="By the clock of each person, within the calling hours of the workspace. Without them, those alone count."
      >
        <Switch
          checked={Boolean(hours)}
          disabled={isDisabled}
          onCheckedChange={(isOn) =>
            form.setValue('callingHours', isOn ? { ...DEFAULT_CALLING_HOURS, isOn: true } : null, {
              shouldDirty: true,
              shouldValidate: true,
            })
          }
        />
      </Field>
      {hours ? <HoursFields {...shared} name="callingHours" /> : null}
    </>
  );
}
