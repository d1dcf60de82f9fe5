import type { Actor } from '#lib/auth/actor.ts';
import { findPromptFor } from '#lib/features/calls/admission/target.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { missingForOpening } from '#lib/engine/prompt/render.ts';
import { AppError } from '#lib/errors.ts';
import { findNumberCountry } from '#lib/features/numbers/country/service.ts';
import { findOptedOut } from '#lib/features/opt-outs/repository.ts';
import { csvDownload, toCsv } from '#lib/http/csv.ts';
import type { PeoplePage, PersonStatus } from './contract.ts';
import { type CampaignRow, findCampaign, moveCampaign } from '../repository.ts';
import { wrongState } from '../rules.ts';
import { type ListedPerson, personView } from '../shown.ts';
import { deletePeople, extendCheck, insertPeople, listPeople } from './repository.ts';
import {
  type CheckContext,
  type CheckedPerson,
  checkPerson,
  type GivenPerson,
  markDuplicates,
  OPTED_OUT_FAULT,
} from './rules.ts';

/** Lines that are checked and written at once: some milliseconds, between which others have their turn. */
const LINES_AT_ONCE = 500;
/** A check that was silent for so long has no process any more. */
const CHECK_MS = 60_000;
const ROWS_PER_READ = 1000;

export type CampaignPeople = ReturnType<typeof createCampaignPeople>;

/** The names that a person knows the columns by. */
export type ColumnNames = Pick<CheckContext, 'numberColumn' | 'columnOf'>;

/** The list of a campaign: checked before anybody is called, shown, and downloaded with what became of it. */
export function createCampaignPeople(deps: Pick<Dependencies, 'db' | 'clock'>) {
  const { db, clock } = deps;

  async function contextOf(campaign: CampaignRow, actor: Actor, names: ColumnNames): Promise<CheckContext> {
    const { agentId, outboundPromptId } = campaign;
    const prompt = await findPromptFor(db, actor.workspaceId, agentId, outboundPromptId);
    return {
      ...names,
      from: campaign.fromNumber,
      country: await findNumberCountry(db, actor.workspaceId, [campaign.fromNumber]),
      missingFor: (variables) => missingForOpening(prompt, variables),
    };
  }

  /** Checks one part of the list and writes it. */
  async function checkPart(
    actor: Actor,
    campaign: CampaignRow,
    part: readonly GivenPerson[],
    { context, seen }: { context: CheckContext; seen: Map<string, number> },
  ): Promise<CheckedPerson[]> {
    const { workspaceId } = actor;
    const checked = part.map((person) => checkPerson(person, context));
    const numbers = checked.flatMap(({ number }) => (number === null ? [] : [number]));
    const optedOut = await findOptedOut(db, workspaceId, numbers);
    const told = checked.map((person): CheckedPerson =>
      person.number !== null && optedOut.has(person.number)
        ? { ...person, state: 'opted_out', fault: OPTED_OUT_FAULT }
        : person,
    );
    const people = markDuplicates(told, seen);
    await insertPeople(db, workspaceId, campaign.id, { people, dueAt: clock.now() });
    return people;
  }

  /** Checks and writes all lines, part by part. Throws where another process has taken the check to be dead. */
  async function checkAll(
    actor: Actor,
    campaign: CampaignRow,
    people: readonly GivenPerson[],
    context: CheckContext,
  ) {
    const { workspaceId } = actor;
    const seen = new Map<string, number>();
    let until = campaign.checkingUntil ?? clock.now();
    await deletePeople(db, workspaceId, campaign.id);
    for (let start = 0; start < people.length; start += LINES_AT_ONCE) {
      const next = new Date(clock.now().getTime() + CHECK_MS);
      if (!(await extendCheck(db, workspaceId, campaign.id, { from: until, to: next })))
        throw new AppError('NOT_READY', 'The check was interrupted; send the list again', {
          retryAfterSeconds: 1,
        });
      until = next;
      await checkPart(actor, campaign, people.slice(start, start + LINES_AT_ONCE), { context, seen });
    }
    return seen.size;
  }

  return {
    /**
     * Checks a list and keeps it, in place of an earlier one. The campaign is `ready` afterwards, and a draft again where
     * that fails. Throws 400 INVALID_STATE where it was started, and what the look-up of its prompt throws.
     */
    async check(
      actor: Actor,
      campaign: CampaignRow,
      people: readonly GivenPerson[],
      names: ColumnNames,
    ): Promise<CampaignRow> {
      const { workspaceId } = actor;
      const move = { campaignId: campaign.id, at: clock.now() };
      const context = await contextOf(campaign, actor, names);
      const checkingUntil = new Date(clock.now().getTime() + CHECK_MS);
      const counts = { peopleCount: 0, callableCount: 0 };
      const checking = await moveCampaign(db, workspaceId, {
        ...move,
        trigger: 'check',
        fields: { checkingUntil, pauseReason: null, ...counts },
      });
      if (!checking) throw wrongState((await findCampaign(db, workspaceId, campaign.id)).state);
      try {
        const callableCount = await checkAll(actor, checking, people, context);
        const variableNames = [...new Set(people.flatMap(({ variables }) => Object.keys(variables)))];
        const fields = {
          checkingUntil: null,
          peopleCount: people.length,
          callableCount,
          variableNames: variableNames.slice(0, 200),
        };
        const ready = await moveCampaign(db, workspaceId, { ...move, trigger: 'checked', fields });
        if (!ready) throw wrongState('draft');
        return ready;
      } catch (error) {
        const fields = { checkingUntil: null };
        if (await moveCampaign(db, workspaceId, { ...move, trigger: 'break_off', fields }))
          await deletePeople(db, workspaceId, campaign.id);
        throw error;
      }
    },

    /** One page by line. Throws 404 and 403. */
    async list(
      actor: Actor,
      campaignId: string,
      page: {
        status?: PersonStatus | undefined;
        disposition?: string | undefined;
        after: number;
        limit: number;
      },
    ): Promise<PeoplePage> {
      await findCampaign(db, actor.workspaceId, campaignId);
      const rows = await listPeople(db, actor.workspaceId, campaignId, {
        ...page,
        afterLine: page.after,
        limit: page.limit + 1,
      });
      const shown = rows.slice(0, page.limit);
      const last = rows.length > page.limit ? shown.at(-1) : undefined;
      return { people: shown.map(personView), nextAfter: last?.person.line ?? null };
    },

    /** All lines, or those with a status, as a CSV that grows while it is downloaded. Throws 404 and 403. */
    async export(actor: Actor, campaignId: string, status: PersonStatus | undefined): Promise<Response> {
      const campaign = await findCampaign(db, actor.workspaceId, campaignId);
      const page = (afterLine: number) =>
        listPeople(db, actor.workspaceId, campaignId, { status, afterLine, limit: ROWS_PER_READ });
      const title = campaign.name.replace(/[\p{C}/\\:*?"<>|]+/gu, ' ').trim() || 'campaign';
      const name = `${title} ${clock.now().toISOString().slice(0, 10)}.csv`;
      return csvDownload(name, csvOf(campaign.variableNames, page));
    },
  };
}

const COLUMNS = [
  'line',
  'number',
  'givenNumber',
  'status',
  'fault',
  'faultColumn',
  'attempts',
  'disposition',
  'endReason',
  'durationSeconds',
  'costCents',
  'tags',
  'summary',
  'conversationId',
  'placedAt',
] as const;

async function* csvOf(
  variableNames: readonly string[],
  readPage: (afterLine: number) => Promise<ListedPerson[]>,
): AsyncGenerator<string> {
  yield toCsv([[...COLUMNS, ...variableNames.map((name) => `variables.${name}`)]]);
  for (let afterLine = 0; ;) {
    const rows = await readPage(afterLine);
    if (rows.length > 0) yield toCsv(rows.map((row) => cellsOf(row, variableNames)));
    const last = rows.at(-1);
    if (rows.length < ROWS_PER_READ || !last) return;
    afterLine = last.person.line;
  }
}

function cellsOf(row: ListedPerson, variableNames: readonly string[]): string[] {
  const shown = personView(row);
  const { call } = row;
  return [
    String(shown.line),
    shown.number ?? '',
    shown.givenNumber,
    shown.status,
    shown.fault ?? '',
    shown.faultColumn ?? '',
    String(shown.attempts),
    shown.disposition ?? '',
    shown.endReason ?? '',
    call.durationSeconds === null ? '' : String(call.durationSeconds),
    call.cost === null ? '' : String(call.cost),
    (call.tags ?? []).join(' '),
    call.summary ?? '',
    shown.conversationId ?? '',
    shown.placedAt ?? '',
    ...variableNames.map((name) => row.person.variables[name] ?? ''),
  ];
}
