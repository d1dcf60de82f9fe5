import { DISPOSITIONS } from '#lib/ports/call-kinds.ts';
import type { Campaign, CampaignDetail } from './contract.ts';
import type { CampaignPerson } from './people/contract.ts';
import type { listPeople } from './people/repository.ts';
import type { CampaignCounts, CampaignRow } from './repository.ts';

export type ListedPerson = Awaited<ReturnType<typeof listPeople>>[number];

export function campaignView(row: CampaignRow): Campaign {
  return {
    id: row.id,
    name: row.name,
    state: row.state,
    from: row.fromNumber,
    agentId: row.agentId,
    outboundPromptId: row.outboundPromptId,
    callsPerMinute: row.callsPerMinute,
    startAt: row.startAt?.toISOString() ?? null,
    callingHours: row.callingHours,
    counts: {
      people: row.peopleCount,
      callable: row.callableCount,
      placed: row.placedCount,
      refused: row.refusedCount,
    },
    pauseReason: row.pauseReason,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

export function campaignDetailView(row: CampaignRow, counted: CampaignCounts): CampaignDetail {
  const { people, calling, outcomes } = counted;
  const of = (state: keyof typeof people) => people[state] ?? 0;
  return {
    ...campaignView(row),
    variableNames: row.variableNames,
    progress: {
      pending: of('pending'),
      calling,
      called: Math.max(0, of('placed') - calling),
      refused: of('refused'),
      cancelled: of('cancelled'),
      faulty: of('faulty'),
      duplicate: of('duplicate'),
      guessed: of('guess'),
      optedOut: of('opted_out'),
      outcomes,
    },
  };
}

export function personView({ person, call }: ListedPerson): CampaignPerson {
  const { state } = person;
  return {
    line: person.line,
    givenNumber: person.givenNumber,
    number: person.number,
    variables: person.variables,
    status: state === 'placed' ? (call.status === 'ended' ? 'called' : 'calling') : state,
    fault: person.fault,
    faultColumn: person.faultColumn,
    conversationId: call.id,
    attempts: call.attempt ?? 0,
    disposition: DISPOSITIONS.find((each) => each === call.disposition) ?? null,
    endReason: call.endReason,
    placedAt: person.placedAt?.toISOString() ?? null,
  };
}
