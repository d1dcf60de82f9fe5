import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { notFound, validationError } from '#lib/errors.ts';
import { findWorkspace } from '#lib/features/workspaces/repository.ts';
import { DISPOSITIONS, SENTIMENTS } from '#lib/ports/call-kinds.ts';
import type { Overview, OverviewFigures } from './contract.ts';
import { addUpDays, hasConversations, listStaleDays, readFigures, type Sums } from './repository.ts';
import {
  answerTimeAt,
  type AskedRange,
  dayOf,
  type Range,
  rangeOf,
  type Span,
  wholeDaysOf,
} from './rules.ts';
import { readVersionFigures, type VersionSums } from './versions/repository.ts';

export type OverviewService = ReturnType<typeof createOverviewService>;

type VersionsAsked = {
  agentId: string;
  startsAt: Date;
  /** null: until now. */
  endsAt: Date | null;
  /** The versions that are wanted first, and how many in all. */
  always: string[];
  limit: number;
};

/** So many days are added up by one transaction; on the embedded database everybody else waits meanwhile. */
const DAYS_AT_ONCE = 7;

/** What conversations came to: sums by day that are kept, and added up anew where something changed (decision 0303). */
export function createOverviewService({ db, clock }: Pick<Dependencies, 'db' | 'clock'>) {
  async function addUp(workspaceId: WorkspaceId, days: readonly Span[], signal?: AbortSignal): Promise<void> {
    const stale = await listStaleDays(db, workspaceId, days);
    for (let at = 0; at < stale.length && !signal?.aborted; at += DAYS_AT_ONCE)
      await addUpDays(db, workspaceId, stale.slice(at, at + DAYS_AT_ONCE));
  }

  async function read(workspaceId: WorkspaceId, range: Range, agentId: string | undefined) {
    const periods = range.periods.map(({ startsAt }) => startsAt);
    if (range.unit === 'hour')
      return readFigures(db, workspaceId, {
        source: { spans: [range.before, ...range.periods] },
        periods,
        agentId,
      });
    await addUp(workspaceId, [...range.daysBefore, ...range.days]);
    const days = { startsAt: range.before.startsAt, endsAt: endOf(range) };
    return readFigures(db, workspaceId, { source: { days }, periods, agentId });
  }

  return {
    /** Adds up those of the days that were never added up or have changed. */
    addUp,

    /**
     * What the conversations of an agent came to by version, from one moment to another or to now; a version without any is
     * missing. Of days that are over and of today, their sums are read, and the conversations of what is left at both ends.
     */
    async ofVersions(
      workspaceId: WorkspaceId,
      { startsAt, endsAt, ...asked }: VersionsAsked,
    ): Promise<(OverviewFigures & Pick<VersionSums, 'versionId' | 'durations' | 'results'>)[]> {
      const workspace = await findWorkspace(db, workspaceId);
      if (!workspace) throw notFound('Workspace');
      const { timeZone } = workspace;
      const whole = wholeDaysOf(
        { startsAt, endsAt: endsAt ?? dayOf(clock.now(), timeZone).endsAt },
        timeZone,
      );
      await addUp(workspaceId, whole.days);
      const [first, last] = [whole.days[0], whole.days.at(-1)];
      const days = first && last ? { startsAt: first.startsAt, endsAt: last.endsAt } : undefined;
      const found = await readVersionFigures(db, workspaceId, { ...asked, days, spans: whole.rest });
      return found.map(({ versionId, durations, results, ...sums }) => ({
        ...shown([sums]),
        versionId,
        durations,
        results,
      }));
    },

    /** Throws VALIDATION_ERROR where the days are no range. */
    async get(
      actor: Actor,
      { agentId, ...asked }: AskedRange & { agentId?: string | undefined },
    ): Promise<Overview> {
      const workspace = await findWorkspace(db, actor.workspaceId);
      if (!workspace) throw notFound('Workspace');
      const range = rangeOf(asked, workspace.timeZone, clock.now());
      if ('fault' in range) throw validationError([{ field: 'from', reason: range.fault }]);
      const found = await read(actor.workspaceId, range, agentId);
      const sumsOf = (period: number) => found.periods.find((each) => each.period === period);
      const current = found.periods.filter(({ period }) => period > 0);
      return {
        timeZone: workspace.timeZone,
        from: range.from,
        to: range.to,
        unit: range.unit,
        startsAt: range.periods[0]?.startsAt.toISOString() ?? '',
        endsAt: endOf(range).toISOString(),
        before: shownSpan(range.before),
        hasConversations: current.length > 0 || (await hasConversations(db, actor.workspaceId)),
        totals: { current: shown(current), before: shown(listOf(sumsOf(0))) },
        periods: range.periods.map((span, index) => ({
          ...shownSpan(span),
          ...shown(listOf(sumsOf(index + 1))),
        })),
        agents: compare(found.agents, (part) => part.agentId).map(([part, both]) => ({
          agentId: part.agentId,
          name: part.name,
          isDeleted: part.isDeleted,
          ...both,
        })),
        prompts: compare(found.prompts, (part) => `${part.promptId} ${part.agentId}`).map(([part, both]) => ({
          promptId: part.promptId,
          title: part.title,
          agentId: part.agentId,
          agentName: part.agentName,
          ...both,
        })),
        tags: found.tags.map(({ tag, calls, before, periods }) => ({
          tag,
          calls,
          before,
          periods: range.periods.map((_, index) => periods[String(index + 1)] ?? 0),
        })),
        otherTags: found.otherTags,
      };
    },
  };
}

const listOf = (sums: Sums | undefined): Sums[] => (sums ? [sums] : []);

function endOf({ periods }: Range): Date {
  return periods.at(-1)?.endsAt ?? new Date(0);
}

function shownSpan({ startsAt, endsAt }: Span): { startsAt: string; endsAt: string } {
  return { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
}

/** Each part with its figures now and before; the one with the most conversations first. */
function compare<Part extends Sums & { isCurrent: boolean }>(
  parts: readonly Part[],
  keyOf: (part: Part) => string,
): [Part, { current: OverviewFigures; before: OverviewFigures }][] {
  const current = parts.filter(({ isCurrent }) => isCurrent);
  return current
    .sort((a, b) => b.calls + b.chats - (a.calls + a.chats))
    .map((part) => {
      const before = parts.find((other) => !other.isCurrent && keyOf(other) === keyOf(part));
      return [part, { current: shown([part]), before: shown(listOf(before)) }];
    });
}

function shown(sums: readonly Sums[]): OverviewFigures {
  const total = (numberOf: (each: Sums) => number) => sums.reduce((sum, each) => sum + numberOf(each), 0);
  const each = <Name extends string>(names: readonly Name[], countsOf: (each: Sums) => number[]) =>
    // The keys are all of `names`.
    Object.fromEntries(
      names.map((name, index) => [name, total((one) => countsOf(one)[index] ?? 0)]),
    ) as Record<Name, number>;
  const answerTimes = (sums[0]?.answerTimes ?? []).map((_, index) =>
    total((one) => one.answerTimes[index] ?? 0),
  );
  const medianMs = answerTimeAt(0.5, answerTimes);
  const slowestMs = answerTimeAt(0.95, answerTimes);
  return {
    calls: total((one) => one.calls),
    chats: total((one) => one.chats),
    outbound: total((one) => one.outbound),
    reached: total((one) => one.reached),
    minutes: Math.round(total((one) => one.seconds) / 0.6) / 100,
    cost: Math.round(total((one) => one.cost) * 100) / 100,
    outcomes: each(DISPOSITIONS, (one) => one.outcomes),
    sentiments: each(SENTIMENTS, (one) => one.sentiments),
    answerTime:
      medianMs === null || slowestMs === null
        ? null
        : { count: answerTimes.reduce((sum, one) => sum + one, 0), medianMs, slowestMs },
  };
}
