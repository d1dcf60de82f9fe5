'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Download, SearchX } from 'lucide-react';
import { DISPOSITION_WORDS } from '#components/conversations/wording.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useDownload } from '#components/forms/use-download.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button } from '#components/ui/button.tsx';
import { EmptyState, ErrorState } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { LoadMore } from '#components/ui/load-more.tsx';
import { Select } from '#components/ui/select.tsx';
import { TableSkeleton } from '#components/ui/skeleton.tsx';
import { Table, TableBody, TableCell, TableHead, TableHeader, TableRow } from '#components/ui/table.tsx';
import type { CampaignDetail } from '#lib/features/campaigns/contract.ts';
import {
  type CampaignPerson,
  exportCampaign,
  PERSON_FILTERS,
  type PersonStatus,
} from '#lib/features/campaigns/people/contract.ts';
import { campaignQueries, type PeopleListFilter } from '#lib/features/campaigns/queries.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { PERSON_WORDS } from './wording.ts';

const STATUSES = [
  { value: '', label: 'Everybody' },
  { value: 'left_out', label: 'Left out by the check' },
  ...Object.entries(PERSON_WORDS).map(([value, { label }]) => ({ value, label })),
];
const OUTCOMES = [
  { value: '', label: 'Any outcome' },
  ...Object.entries(DISPOSITION_WORDS).map(([value, { label }]) => ({ value, label })),
];

/** The list with what became of everybody on it. */
export function PeopleTable({ campaign, initial = '' }: { campaign: CampaignDetail; initial?: string }) {
  const { id: workspaceId } = useWorkspace();
  const [status, setStatus] = useState(initial);
  const [disposition, setDisposition] = useState('');
  const known: PersonStatus | undefined = PERSON_FILTERS.find((each) => each === status);
  const filter = {
    ...(known ? { status: known } : {}),
    ...(disposition === '' ? {} : { disposition }),
  };
  const list = usePeople(workspaceId, campaign.id, filter);
  const download = useDownload();
  const save = () =>
    download.start({
      operation: exportCampaign,
      params: { campaignId: campaign.id },
      query: known ? { status: known } : {},
      filename: 'people.csv',
    });
  return (
    <section aria-labelledby="people-of-campaign" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="people-of-campaign" className="text-base font-semibold text-ink">
          People
        </h2>
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="Who is shown"
            options={STATUSES}
            value={status}
            onValueChange={setStatus}
            className="w-auto! max-w-56"
          />
          {campaign.startedAt === null ? null : (
            <Select
              aria-label="Outcome"
              options={OUTCOMES}
              value={disposition}
              onValueChange={setDisposition}
              className="w-auto! max-w-48"
            />
          )}
          {known && disposition === '' ? (
            <Button isBusy={download.isPending} onClick={save}>
              <Download aria-hidden="true" />
              Save these
            </Button>
          ) : null}
        </div>
      </div>
      <Found list={list} />
    </section>
  );
}

type PeopleList = ReturnType<typeof usePeople>;

const usePeople = (workspaceId: string, campaignId: string, filter: PeopleListFilter) =>
  useInfiniteQuery(campaignQueries.people(workspaceId, campaignId, filter));

function Found({ list }: { list: PeopleList }) {
  const people = list.data?.pages.flatMap((page) => page.people);
  if (people?.length === 0)
    return (
      <EmptyState icon={<SearchX />} title="Nobody" description="Nobody on the list is in this state." />
    );
  if (people)
    return (
      <>
        <Rows people={people} />
        <LoadMore list={list} />
      </>
    );
  if (!list.error) return <TableSkeleton label="Loading people" rows={6} />;
  return (
    <ErrorState
      title="The people could not be loaded"
      description={describeFailure(list.error)}
      actions={<Button onClick={() => void list.refetch()}>Try again</Button>}
    />
  );
}

function Rows({ people }: { people: readonly CampaignPerson[] }) {
  return (
    <Table caption="People of the campaign by their line">
      <TableHead>
        <TableHeader className="text-right">Line</TableHeader>
        <TableHeader>Number</TableHeader>
        <TableHeader className="hidden lg:table-cell">Variables</TableHeader>
        <TableHeader>What became of it</TableHeader>
      </TableHead>
      <TableBody>
        {people.map((person) => (
          <TableRow key={person.line}>
            <TableCell className="figures text-right text-ink-subtle">{person.line}</TableCell>
            <TableCell className="figures max-w-40 truncate font-medium text-ink sm:max-w-64">
              {person.number === null ? person.givenNumber || 'None' : formatPhoneNumber(person.number)}
              {person.status === 'guess' ? (
                <span className="block truncate text-xs font-normal text-ink-subtle">
                  {`written ${person.givenNumber}`}
                </span>
              ) : null}
            </TableCell>
            <TableCell className="hidden w-full max-w-0 truncate text-ink-muted lg:table-cell">
              {Object.entries(person.variables)
                .map(([name, value]) => `${name}: ${value}`)
                .join(' · ')}
            </TableCell>
            <TableCell className="min-w-48 md:min-w-72">
              <Result person={person} />
            </TableCell>
          </TableRow>
        ))}
      </TableBody>
    </Table>
  );
}

function Result({ person }: { person: CampaignPerson }) {
  const { id: workspaceId } = useWorkspace();
  const { status, fault, faultColumn, disposition, conversationId, attempts } = person;
  const shown = status === 'called' && disposition ? DISPOSITION_WORDS[disposition] : PERSON_WORDS[status];
  const detail = fault === null ? null : faultColumn === null ? fault : `${faultColumn}: ${fault}`;
  const badge = <Badge tone={shown.tone}>{shown.label}</Badge>;
  return (
    <span className="flex flex-col items-start gap-0.5">
      <span className="inline-flex items-center gap-2">
        {conversationId === null ? (
          badge
        ) : (
          <Link
            href={workspacePath(workspaceId, `conversations/${encodeURIComponent(conversationId)}`)}
            aria-label={`${shown.label}, open the conversation of line ${person.line}`}
            className="rounded-sm underline-offset-4 hover:underline"
          >
            {badge}
          </Link>
        )}
        {attempts > 1 ? <span className="figures text-xs text-ink-subtle">{attempts} attempts</span> : null}
      </span>
      {detail ? <span className="text-xs text-pretty wrap-anywhere text-ink-subtle">{detail}</span> : null}
    </span>
  );
}
