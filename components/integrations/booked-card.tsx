'use client';

import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CalendarDays, X } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { EmptyState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { dateFormat } from '#lib/date-format.ts';
import type { ShownCalendar } from '#lib/features/integrations/calendar/fields.ts';
import { cancelAppointment } from '#lib/features/integrations/contract.ts';
import { integrationQueries } from '#lib/features/integrations/queries.ts';
import { callOperation } from '#lib/http/client.ts';

type Props = { integrationId: string; calendar: ShownCalendar; mayCancel: boolean };
type Appointment = ShownCalendar['appointments'][number];

/** What agents booked in a calendar that has no server. */
export function BookedCard({ integrationId, calendar, mayCancel }: Props) {
  const { appointments, usedTimeZone } = calendar;
  return (
    <Card title="Booked" description={`The next appointments, in the time of ${usedTimeZone}.`} isFlush>
      {appointments.length === 0 ? (
        <EmptyState
          isBare
          icon={<CalendarDays />}
          title="Nothing is booked"
          description="What agents book on calls and in chats stands here, and its time is taken."
        />
      ) : (
        <ul className="divide-y divide-line">
          {appointments.map((each) => (
            <li key={each.id} className="flex items-start justify-between gap-3 px-4 py-3 text-sm sm:px-5">
              <BookedRow appointment={each} timeZone={usedTimeZone} />
              {mayCancel ? <Cancel integrationId={integrationId} appointment={each} /> : null}
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function BookedRow({ appointment, timeZone }: { appointment: Appointment; timeZone: string }) {
  const { id: workspaceId } = useWorkspace();
  const { startsAt, title, phone, conversationId } = appointment;
  return (
    <div className="min-w-0">
      <p className="font-medium text-ink">
        <time dateTime={startsAt} className="figures">
          {momentIn(startsAt, timeZone)}
        </time>
      </p>
      <p className="wrap-anywhere text-ink-muted">{title}</p>
      <p className="flex flex-wrap gap-x-3 text-xs text-ink-subtle">
        {phone ? <span className="figures">{phone}</span> : null}
        {conversationId ? (
          <Link
            href={workspacePath(workspaceId, `conversations/${encodeURIComponent(conversationId)}`)}
            className="rounded-sm text-accent-text underline"
          >
            Conversation
          </Link>
        ) : null}
      </p>
    </div>
  );
}

function Cancel({ integrationId, appointment }: { integrationId: string; appointment: Appointment }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const params = { integrationId, appointmentId: appointment.id };
  const cancel = useMutation({
    mutationFn: () => callOperation(cancelAppointment, { params }, { workspaceId }),
    onSuccess: () => toast({ title: 'The appointment was cancelled' }),
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
    onSettled: () =>
      queryClient.invalidateQueries({
        queryKey: integrationQueries.detail(workspaceId, integrationId).queryKey,
      }),
  });
  return (
    <ConfirmDialog
      title={`Cancel ${appointment.title}?`}
      description="Its time is free again. Nobody is told: call the person if they should know."
      confirmLabel="Cancel appointment"
      onConfirm={() => cancel.mutate()}
      trigger={
        <IconButton
          size="sm"
          label={`Cancel ${appointment.title}`}
          icon={<X aria-hidden="true" />}
          disabled={cancel.isPending}
        />
      }
    />
  );
}

function momentIn(iso: string, timeZone: string): string {
  return dateFormat({
    timeZone,
    weekday: 'short',
    month: 'short',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
  }).format(new Date(iso));
}
