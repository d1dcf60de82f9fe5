'use client';

import { type ReactNode, useState } from 'react';
import { useQuery, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { NumberField } from '#components/forms/form-fields.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { useSettled } from '#components/ui/use-settled.ts';
import type { RetentionPreview } from '#lib/features/retention/contract.ts';
import { retentionQueries } from '#lib/features/retention/queries.ts';
import { updateWorkspace } from '#lib/features/workspaces/contract.ts';
import { WORKSPACE_LIMITS } from '#lib/features/workspaces/rules.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';
import { ApiError, callOperation } from '#lib/http/client.ts';

const schema = updateWorkspace.body.pick({ conversationRetentionDays: true, recordingRetentionDays: true });
type Values = z.input<typeof schema>;

const PAUSE_MS = 400;

/** For how long conversations and recordings are kept, with what that would delete now. */
export function RetentionForm() {
  const { id: workspaceId } = useWorkspace();
  const { data: workspace } = useSuspenseQuery(workspaceQueries.settings(workspaceId));
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayManage = useMayManage();
  const [isAsking, setIsAsking] = useState(false);
  const { conversationRetentionDays, recordingRetentionDays } = workspace;
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema,
    values: { conversationRetentionDays, recordingRetentionDays },
    onlyChanged: true,
    save: (body, base) =>
      callOperation(
        updateWorkspace,
        { body: { ...body, base } },
        { workspaceId, confirmation: preview.data?.confirmation },
      ).catch((error: unknown) => {
        // More is that old by now than was shown.
        if (error instanceof ApiError && error.code === 'CONFIRMATION_REQUIRED') {
          void preview.refetch();
          setIsAsking(true);
        }
        throw error;
      }),
    onSaved: ({ data }) => {
      queryClient.setQueryData(workspaceQueries.settings(workspaceId).queryKey, data);
      toast({ title: 'Saved' });
    },
  });
  const { preview, isAsked } = usePreview(workspaceId, form.control as Control<Values>, isAsking);
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isAnyKept(keptOf(form.getValues()))) setIsAsking(true);
        else void submit(event);
      }}
      className="flex max-w-4xl flex-col gap-4"
    >
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <DaysCard form={form} isDisabled={!mayManage}>
        {isAsked ? <Preview data={preview.data} error={preview.error} /> : null}
      </DaysCard>
      {mayManage ? (
        <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()} />
      ) : (
        <p className="text-sm text-ink-subtle">Only admins and owners can change these.</p>
      )}
      <ConfirmDialog
        title="Delete what is older?"
        description={questionOf(preview)}
        confirmLabel="Save"
        isOpen={isAsking}
        isReady={preview.data !== undefined && !preview.isFetching}
        onOpenChange={setIsAsking}
        onConfirm={() => {
          setIsAsking(false);
          void submit();
        }}
      />
    </form>
  );
}

/** What the days in the form would delete, asked once somebody stops typing. */
function usePreview(workspaceId: string, control: Control<Values>, isAsking: boolean) {
  const given = useWatch({ control });
  const settled = {
    conversationRetentionDays: useSettled(given.conversationRetentionDays, PAUSE_MS),
    recordingRetentionDays: useSettled(given.recordingRetentionDays, PAUSE_MS),
  };
  // Whoever saves does not wait for a pause: what is in the fields now is counted.
  const kept = keptOf(isAsking ? given : settled);
  const isAsked = isAnyKept(kept);
  return { isAsked, preview: useQuery({ ...retentionQueries.preview(workspaceId, kept), enabled: isAsked }) };
}

type DaysCardProps = {
  form: UseFormReturn<Values, unknown, Values>;
  isDisabled: boolean;
  children: ReactNode;
};

function DaysCard({ children, ...given }: DaysCardProps) {
  const shared = { ...given, isNullable: true, min: 1, max: WORKSPACE_LIMITS.maxRetentionDays };
  return (
    <Card
      title="Retention"
      description="Everything is kept unless you say otherwise. What is over its time is deleted within the hour, for good."
    >
      <div className="flex flex-col gap-4">
        <div className="grid gap-4 sm:grid-cols-2">
          <NumberField
            {...shared}
            name="conversationRetentionDays"
            label="Delete conversations after (days)"
            placeholder="kept"
            description="With transcript, recording, notes, tags and ratings. Used minutes, opt-outs and the audit log stay."
          />
          <NumberField
            {...shared}
            name="recordingRetentionDays"
            label="Delete recordings after (days)"
            placeholder="kept"
            description="Only the sound. Transcript, summary and figures stay."
          />
        </div>
        {children}
      </div>
    </Card>
  );
}

type Kept = { conversationDays: number | null; recordingDays: number | null };

function keptOf({ conversationRetentionDays, recordingRetentionDays }: Partial<Values>): Kept {
  return {
    conversationDays: validDays(conversationRetentionDays),
    recordingDays: validDays(recordingRetentionDays),
  };
}

function isAnyKept({ conversationDays, recordingDays }: Kept): boolean {
  return conversationDays !== null || recordingDays !== null;
}

function validDays(days: number | null | undefined): number | null {
  const isValid =
    Number.isInteger(days) && Number(days) >= 1 && Number(days) <= WORKSPACE_LIMITS.maxRetentionDays;
  return isValid ? Number(days) : null;
}

function questionOf({ data, error }: { data: RetentionPreview | undefined; error: Error | null }): string {
  if (data) return sentenceOf(data);
  if (error) return `What would be deleted could not be counted: ${describeFailure(error)}`;
  return 'Counting what this deletes…';
}

function Preview({ data, error }: { data: RetentionPreview | undefined; error: Error | null }) {
  if (error)
    return (
      <p role="alert" className="text-sm text-danger-text">
        What would be deleted could not be counted: {describeFailure(error)}
      </p>
    );
  return (
    <output className="flex items-center gap-2 rounded-md border border-line bg-sunken px-3 py-2 text-sm text-ink">
      {data ? sentenceOf(data) : <Spinner />}
    </output>
  );
}

/** `Within the hour this deletes 12 conversations and more than 10,000 recordings. It cannot be undone.` */
function sentenceOf({ conversations, recordings }: RetentionPreview): string {
  const isNothing = [conversations, recordings].every((each) => !each || (each.isExact && each.count === 0));
  if (isNothing) return 'Nothing is that old now. What gets older is deleted for good from then on.';
  const parts = [
    conversations ? counted(conversations, 'conversation') : null,
    recordings ? counted(recordings, 'recording') : null,
  ].filter((part) => part !== null);
  return `Within the hour this deletes ${parts.join(' and ')}. It cannot be undone.`;
}

function counted({ count, isExact }: NonNullable<RetentionPreview['recordings']>, noun: string): string {
  if (isExact && count === 0) return `no ${noun}`;
  const number = count.toLocaleString('en-US');
  return `${isExact ? '' : 'more than '}${number} ${noun}${count === 1 ? '' : 's'}`;
}
