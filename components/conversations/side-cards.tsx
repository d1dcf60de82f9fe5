'use client';

import { CalendarCheck, PhoneForwarded } from 'lucide-react';
import { webhooksPath, workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { StatusDot, type Tone } from '#components/ui/badge.tsx';
import { Card, FactList } from '#components/ui/card.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { dateFormat } from '#lib/date-format.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { Phone } from './call-badges.tsx';
import { eventFacts, eventLabel, isTimelineEvent } from './event-wording.ts';
import { costLabel, durationWords } from './wording.ts';

export function DetailsCard({ call }: { call: CallDetail }) {
  const workspace = useWorkspace();
  const human = {
    term: call.direction === 'INBOUND' ? 'From' : 'To',
    value: <Phone number={call.humanPhoneNumber} />,
  };
  const agent = {
    term: call.direction === 'INBOUND' ? 'To' : 'From',
    value: <Phone number={call.agentPhoneNumber} />,
  };
  return (
    <Card title="Details">
      <FactList
        items={[
          {
            term: 'Agent',
            value: (
              <Link
                href={workspacePath(workspace.id, `agents/${encodeURIComponent(call.agentId)}`)}
                className="rounded-sm text-accent-text hover:underline"
              >
                {call.agentName}
              </Link>
            ),
          },
          ...(call.channel === 'chat' ? [] : call.direction === 'INBOUND' ? [human, agent] : [agent, human]),
          ...(call.promptTitle ? [{ term: 'Prompt', value: call.promptTitle }] : []),
          ...(call.version ? [{ term: 'Held with', value: <VersionLink version={call.version} /> }] : []),
          ...(call.campaign ? [{ term: 'Campaign', value: <CampaignLink campaign={call.campaign} /> }] : []),
          { term: 'Started', value: <Moment iso={call.dateInitiated} style="full" /> },
          ...(call.endedAt === null
            ? []
            : [{ term: 'Duration', value: durationWords(call.durationSeconds) }]),
          call.channel === 'chat'
            ? { term: 'Kind', value: 'Chat' }
            : { term: 'Carrier', value: <span className="capitalize">{call.carrier}</span> },
          ...(call.endReason ? [{ term: 'Ended', value: call.endReason }] : []),
        ]}
      />
    </Card>
  );
}

function VersionLink({ version }: { version: NonNullable<CallDetail['version']> }) {
  const workspace = useWorkspace();
  return (
    <Link
      href={workspacePath(workspace.id, `versions/${encodeURIComponent(version.id)}?with=none`)}
      className="rounded-sm text-accent-text hover:underline"
    >
      {version.number === null ? 'A draft of the agent' : `Version ${version.number} of the agent`}
    </Link>
  );
}

function CampaignLink({ campaign }: { campaign: { id: string; name: string } }) {
  const workspace = useWorkspace();
  return (
    <Link
      href={workspacePath(workspace.id, `campaigns/${encodeURIComponent(campaign.id)}`)}
      className="rounded-sm text-accent-text hover:underline"
    >
      {campaign.name}
    </Link>
  );
}

export function AgreementCard({ call }: { call: CallDetail }) {
  if (!call.appointment && !call.callback) return null;
  return (
    <Card>
      <div className="flex flex-col gap-3">
        {call.appointment ? (
          <Agreement
            icon={<CalendarCheck aria-hidden="true" />}
            title="Appointment"
            spoken={call.appointment.spoken}
          >
            {zonedLabel(call.appointment.startsAt, call.appointment.timeZone)}
          </Agreement>
        ) : null}
        {call.callback ? (
          <Agreement
            icon={<PhoneForwarded aria-hidden="true" />}
            title="Callback requested"
            spoken={call.callback.spoken}
          >
            {call.callback.contact}
          </Agreement>
        ) : null}
      </div>
    </Card>
  );
}

type AgreementProps = { icon: React.ReactNode; title: string; spoken: string; children?: React.ReactNode };

function Agreement({ icon, title, spoken, children }: AgreementProps) {
  return (
    <div className="flex items-start gap-3">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md border border-success-line bg-success-soft text-success-text [&_svg]:size-4">
        {icon}
      </span>
      <div className="min-w-0 text-sm">
        <h2 className="text-base font-semibold text-ink">{title}</h2>
        {children ? <p className="text-ink">{children}</p> : null}
        <p className="text-ink-subtle">As spoken: “{spoken}”</p>
      </div>
    </div>
  );
}

/** An appointment is read in the time zone it was made in, not the reader's. */
function zonedLabel(startsAt: string, timeZone: string): string {
  const date = new Date(startsAt);
  if (Number.isNaN(date.getTime())) return startsAt;
  const label = dateFormat({ dateStyle: 'full', timeStyle: 'short', timeZone }).format(date);
  return `${label} (${timeZone})`;
}

export function VariablesCard({ variables }: { variables: Record<string, string> }) {
  const entries = Object.entries(variables);
  if (entries.length === 0) return null;
  return (
    <Card title="Variables">
      <FactList
        items={entries.map(([name, value]) => ({
          term: <span className="font-mono text-xs break-all">{name}</span>,
          value: value === '' ? <span className="text-ink-subtle">empty</span> : value,
        }))}
      />
    </Card>
  );
}

export function CostCard({ call }: { call: CallDetail }) {
  const parts = call.costBreakdown;
  return (
    <Card
      title="Cost"
      actions={<span className="figures text-base font-semibold text-ink">{costLabel(call.cost)}</span>}
    >
      {parts && call.cost > 0 ? (
        <FactList
          items={
            call.channel === 'chat'
              ? [{ term: 'Language model', value: <Amount cents={parts.languageCents} /> }]
              : [
                  { term: 'Carrier', value: <Amount cents={parts.carrierCents} /> },
                  { term: 'Language model', value: <Amount cents={parts.languageCents} /> },
                  { term: 'Speech', value: <Amount cents={parts.speechCents} /> },
                ]
          }
        />
      ) : (
        <p className="text-sm text-ink-subtle">It cost nothing.</p>
      )}
    </Card>
  );
}

function Amount({ cents }: { cents: number }) {
  return <span className="figures block text-right">{costLabel(cents)}</span>;
}

const WEBHOOK_WORDS: Record<NonNullable<CallDetail['webhook']>['status'], { label: string; tone: Tone }> = {
  pending: { label: 'Waiting to be sent', tone: 'warning' },
  sending: { label: 'Being sent', tone: 'warning' },
  delivered: { label: 'Delivered', tone: 'success' },
  failed: { label: 'Failed', tone: 'danger' },
  unknown: { label: 'Unknown whether sent', tone: 'warning' },
};

export function WebhookCard({ webhook }: { webhook: CallDetail['webhook'] }) {
  const workspace = useWorkspace();
  return (
    <Card title="Webhook">
      {webhook ? (
        <FactList
          items={[
            {
              term: 'State',
              value: (
                <StatusDot tone={WEBHOOK_WORDS[webhook.status].tone}>
                  <Link
                    href={webhooksPath(workspace.id, webhook.deliveryId)}
                    className="rounded-sm text-accent-text hover:underline"
                  >
                    {WEBHOOK_WORDS[webhook.status].label}
                  </Link>
                </StatusDot>
              ),
            },
            { term: 'Address', value: <span className="break-all">{webhook.url}</span> },
            ...(webhook.responseStatus === null
              ? []
              : [{ term: 'Answer', value: `HTTP ${webhook.responseStatus}` }]),
            ...(webhook.error ? [{ term: 'Reason', value: webhook.error }] : []),
            ...(webhook.finishedAt
              ? [{ term: 'Finished', value: <Moment iso={webhook.finishedAt} style="time" /> }]
              : []),
          ]}
        />
      ) : (
        <p className="text-sm text-pretty text-ink-subtle">
          None was sent: the agent&rsquo;s webhook is off, or no address is set.
        </p>
      )}
    </Card>
  );
}

export function TimelineCard({ call }: { call: CallDetail }) {
  const events = call.events.filter(isTimelineEvent);
  if (events.length === 0) return null;
  return (
    <Card title="Timeline">
      <ol className="flex flex-col">
        {events.map((event) => (
          <li
            key={event.id}
            className="relative grid grid-cols-[0.5rem_minmax(0,1fr)_auto] gap-x-3 pb-3 text-sm last:pb-0 [&:not(:last-child)]:before:absolute [&:not(:last-child)]:before:top-3 [&:not(:last-child)]:before:bottom-[-0.375rem] [&:not(:last-child)]:before:left-[0.21875rem] [&:not(:last-child)]:before:w-px [&:not(:last-child)]:before:bg-line"
          >
            <span
              aria-hidden="true"
              className="mt-1.5 size-2 rounded-full border border-line-strong bg-surface"
            />
            <div className="min-w-0">
              <p className="text-ink">{eventLabel(event)}</p>
              {eventFacts(event).map((fact) => (
                <p key={fact} className="text-xs wrap-anywhere text-ink-subtle">
                  {fact}
                </p>
              ))}
            </div>
            <span className="text-xs whitespace-nowrap text-ink-subtle">
              <Moment iso={event.at} style="time" />
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
