'use client';

import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { type Control, type UseFormReturn, useWatch } from 'react-hook-form';
import type { z } from 'zod';
import { FormBar, FormFailure } from '#components/forms/form-bar.tsx';
import { SwitchField, TextField } from '#components/forms/form-fields.tsx';
import { HoursFields } from '#components/forms/hours-fields.tsx';
import { useOperationForm } from '#components/forms/use-operation-form.ts';
import { useMayManage } from '#components/layout/use-may-manage.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { updateWorkspace, type Workspace } from '#lib/features/workspaces/contract.ts';
import { WORKSPACE_LIMITS } from '#lib/features/workspaces/rules.ts';
import { workspaceQueries } from '#lib/features/workspaces/queries.ts';
import { callOperation } from '#lib/http/client.ts';

const schema = updateWorkspace.body.pick({
  callingHours: true,
  hasRecordingAnnouncement: true,
  recordingAnnouncement: true,
});
type Values = z.input<typeof schema>;
type CardProps = { form: UseFormReturn<Values, unknown, Values>; isDisabled: boolean };

const valuesOf = (workspace: Workspace): Values => ({
  callingHours: workspace.callingHours,
  hasRecordingAnnouncement: workspace.hasRecordingAnnouncement,
  recordingAnnouncement: workspace.recordingAnnouncement,
});

/** What a workspace owes the people it calls, besides the opt-outs. */
export function CallingForm() {
  const { id: workspaceId } = useWorkspace();
  const { data: workspace } = useSuspenseQuery(workspaceQueries.settings(workspaceId));
  const queryClient = useQueryClient();
  const toast = useToast();
  const mayManage = useMayManage();
  const { form, submit, isSaving, isDirty } = useOperationForm({
    schema,
    values: valuesOf(workspace),
    onlyChanged: true,
    save: (body, base) => callOperation(updateWorkspace, { body: { ...body, base } }, { workspaceId }),
    onSaved: ({ data }) => {
      queryClient.setQueryData(workspaceQueries.settings(workspaceId).queryKey, data);
      void queryClient.invalidateQueries({ queryKey: conversationQueries.root(workspaceId) });
      toast({ title: 'Saved' });
    },
  });
  const shared = { form, isDisabled: !mayManage };
  return (
    <form noValidate onSubmit={(event) => void submit(event)} className="flex max-w-4xl flex-col gap-4">
      <FormFailure message={form.formState.errors.root?.server?.message} />
      <HoursCard {...shared} timeZone={workspace.timeZone} />
      <AnnouncementCard {...shared} />
      {mayManage ? (
        <FormBar isDirty={isDirty} isSaving={isSaving} onDiscard={() => form.reset()} />
      ) : (
        <p className="text-sm text-ink-subtle">Only admins and owners can change these.</p>
      )}
    </form>
  );
}

function HoursCard({ timeZone, ...shared }: CardProps & { timeZone: string }) {
  const isOn = useWatch({ control: shared.form.control as Control<Values>, name: 'callingHours.isOn' });
  return (
    <Card
      title="Calling hours"
      description="By the clock of the person who is called. Outside of them a call waits in the queue, and shows until when."
    >
      <div className="flex flex-col gap-4">
        <SwitchField {...shared} name="callingHours.isOn" label="Call people only in these hours" />
        {isOn ? (
          <>
            <HoursFields {...shared} name="callingHours" />
            <p className="text-sm text-pretty text-ink-muted">
              {`The zone follows from the number. Where a number may be in several zones, it has to be within the hours in all of them; where that never happens, or no zone is known, the workspace's zone counts (${timeZone}).`}
            </p>
          </>
        ) : null}
      </div>
    </Card>
  );
}

function AnnouncementCard(shared: CardProps) {
  const isOn = useWatch({
    control: shared.form.control as Control<Values>,
    name: 'hasRecordingAnnouncement',
  });
  return (
    <Card
      title="Recording announcement"
      description="Every call is recorded. In many places people have to be told before anything else is said."
    >
      <div className="flex flex-col gap-4">
        <SwitchField
          {...shared}
          name="hasRecordingAnnouncement"
          label="Say that the call is recorded"
          description="The first words of every call, in both directions, before the agent's opening. Not on a voicemail."
        />
        {isOn ? (
          <TextField
            {...shared}
            name="recordingAnnouncement"
            label="Words"
            isNullable
            limit={WORKSPACE_LIMITS.announcement}
            placeholder="This call is recorded."
            description="Empty: one sentence in each agent's language."
          />
        ) : null}
      </div>
    </Card>
  );
}
