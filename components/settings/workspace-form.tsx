'use client';

import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import type { UseFormReturn } from 'react-hook-form';
import type { z } from 'zod';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField, SelectField, SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { maxCharacters } from '#components/forms/text-limits.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { InlineCode } from '#components/ui/code-block.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { COUNTRIES, countryName } from '#lib/countries.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { updateWorkspace, type Workspace } from '#lib/features/workspaces/contract.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { LIMIT_LEAVES_OUT } from './limit-words.ts';

const TIME_ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')];

function valuesOf(workspace: Workspace) {
  const { name, timeZone, country, maxConcurrentCalls, rateCard } = workspace;
  const { monthlyUsageLimitMinutes, refusesIncomingAtLimit } = workspace;
  const limits = { monthlyUsageLimitMinutes, refusesIncomingAtLimit, maxConcurrentCalls };
  return { name, timeZone, country, ...limits, rateCard };
}

export function WorkspaceForm() {
  const { id: workspaceId } = useWorkspace();
  const { data: workspace } = useSuspenseQuery(workspaceQueries.settings(workspaceId));
  const queryClient = useQueryClient();
  const router = useRouter();
  const toast = useToast();
  const mayManage = useMayManage();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema: updateWorkspace.body,
    values: valuesOf(workspace),
    onlyChanged: true,
    save: (body, base) => callOperation(updateWorkspace, { body: { ...body, base } }, { workspaceId }),
    onSaved: ({ data }) => {
      queryClient.setQueryData(workspaceQueries.settings(workspaceId).queryKey, data);
      void queryClient.invalidateQueries({ queryKey: workspaceQueries.usage(workspaceId).queryKey });
      void queryClient.invalidateQueries({ queryKey: numberQueries.country(workspaceId).queryKey });
      toast({ title: 'Workspace saved' });
      // The name also stands in the sidebar, which the server renders.
      router.refresh();
    },
  });
  const shared = { form, isDisabled: !mayManage };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-4xl flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <IdentityCard {...shared} workspaceId={workspace.id} timeZone={workspace.timeZone} />
      <LimitsCard {...shared} />
      <RatesCard {...shared} />
      {mayManage ? (
        <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()} />
      ) : (
        <p className="text-sm text-ink-subtle">Only admins and owners can change these.</p>
      )}
    </form>
  );
}

type Values = z.input<typeof updateWorkspace.body>;
type CardProps = { form: UseFormReturn<Values, unknown, Values>; isDisabled: boolean };

function IdentityCard({
  workspaceId,
  timeZone,
  ...shared
}: CardProps & { workspaceId: string; timeZone: string }) {
  return (
    <Card
      title="Workspace"
      description={
        <span className="flex items-center gap-1">
          Its id is <InlineCode>{workspaceId}</InlineCode>
          <CopyButton text={workspaceId} label="Copy workspace id" />
        </span>
      }
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...shared}
          name="name"
          label="Name"
          isRequired
          limit={maxCharacters(updateWorkspace.body, 'name')}
          description="Spoken as the business where an agent has no name for it."
        />
        <SelectField
          {...shared}
          name="timeZone"
          label="Time zone"
          isRequired
          options={timeZoneOptions(timeZone)}
          description="Appointments are understood, and times are shown, in this zone."
        />
        <CountryField {...shared} />
      </div>
    </Card>
  );
}

/** What is chosen is among them, also where this browser knows it under another name. */
function timeZoneOptions(chosen: string) {
  return [...new Set([chosen, ...TIME_ZONES])]
    .toSorted()
    .map((name) => ({ value: name, label: name.replaceAll('_', ' ') }));
}

const COUNTRY_OPTIONS = COUNTRIES.map((code) => ({ value: code, label: countryName(code) })).toSorted(
  (one, other) => one.label.localeCompare(other.label, 'en'),
);

/** A guess from the workspace's numbers until somebody chooses. */
function CountryField(shared: CardProps) {
  const { id: workspaceId } = useWorkspace();
  const { data } = useQuery(numberQueries.country(workspaceId));
  const guess = data?.guess ? `${countryName(data.guess)}, a guess` : 'Not known';
  return (
    <SelectField
      {...shared}
      name="country"
      label="Country"
      isNullable
      options={[{ value: '', label: guess, detail: "From the workspace's own numbers" }, ...COUNTRY_OPTIONS]}
      description="Phone numbers that are written without a country code are of this country."
    />
  );
}

function LimitsCard(shared: CardProps) {
  return (
    <Card title="Limits">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          {...shared}
          name="monthlyUsageLimitMinutes"
          label="Minutes per month"
          isNullable
          min={0}
          placeholder="No limit"
          description={`At the limit outbound calls are refused, and those that run end with a goodbye. ${LIMIT_LEAVES_OUT} Empty: no limit.`}
        />
        <NumberField
          {...shared}
          name="maxConcurrentCalls"
          label="Calls at once"
          min={1}
          description="Of all numbers together; each number has a limit of its own. Further calls out wait in the queue; further callers hear the line busy."
        />
      </div>
      <div className="mt-4">
        <SwitchField
          {...shared}
          name="refusesIncomingAtLimit"
          label="Refuse incoming calls at the monthly limit"
          description="Callers hear the line busy. Off: they are still answered, and their minutes are counted."
        />
      </div>
    </Card>
  );
}

function RatesCard(shared: CardProps) {
  return (
    <Card title="Rate card" description="In cents. What a conversation's cost is made of.">
      <div className="grid gap-4 sm:grid-cols-2">
        <NumberField
          {...shared}
          name="rateCard.carrierCentsPerMinute"
          label="Carrier, per minute"
          min={0}
          step={0.01}
        />
        <NumberField
          {...shared}
          name="rateCard.speechCentsPerMinute"
          label="Speech, per minute"
          min={0}
          step={0.01}
        />
        <NumberField
          {...shared}
          name="rateCard.languageCentsPer1kInputTokens"
          label="Language model, per 1,000 tokens read"
          min={0}
          step={0.0001}
        />
        <NumberField
          {...shared}
          name="rateCard.languageCentsPer1kOutputTokens"
          label="Language model, per 1,000 tokens written"
          min={0}
          step={0.0001}
        />
      </div>
    </Card>
  );
}
