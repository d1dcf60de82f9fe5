import type { FieldType } from '#lib/features/agents/results/rules.ts';
import type { OverviewService } from '#lib/features/overview/service.ts';
import { DURATION_STEPS_SECONDS, valueAt } from '#lib/features/overview/rules.ts';
import { DISPOSITIONS } from '#lib/ports/call-kinds.ts';
import type { SplitRate, SplitResults } from './contract.ts';
import { type Difference, differenceOf, medianShares, type Proportion, wilsonInterval } from './rules.ts';

type Figures = Awaited<ReturnType<OverviewService['ofVersions']>>[number];
type Place = { sharedId: string; publishedId: string; numbers: ReadonlyMap<string, number | null> };
type Compared = Pick<SplitResults, 'versions' | 'rates' | 'durationVerdict'>;

const SENTIMENTS = ['POSITIVE', 'NEUTRAL', 'NEGATIVE'] as const;

/** What versions came to, side by side: the second one, what is published, then the others, the latest first. */
export function comparedVersions(found: readonly Figures[], place: Place): Compared {
  const { sharedId, publishedId, numbers } = place;
  const main = [...new Set([sharedId, publishedId])];
  const others = found
    .map(({ versionId }) => versionId)
    .filter((id) => !main.includes(id))
    .toSorted((one, other) => (numbers.get(other) ?? 0) - (numbers.get(one) ?? 0));
  const sides = [...main, ...others].map((id) => ({
    id,
    figures: found.find(({ versionId }) => versionId === id),
  }));
  const all = found.reduce((sum, { calls, chats }) => sum + calls + chats, 0);
  const versions = sides.map(({ id, figures }) => ({
    id,
    number: numbers.get(id) ?? null,
    part:
      id === sharedId
        ? ('shared' as const)
        : id === publishedId
          ? ('published' as const)
          : ('earlier' as const),
    ...versionValues(figures, all),
  }));
  const [shared, published] = versions;
  return {
    versions,
    rates: ratesOf(sides.map(({ figures }) => figures)),
    durationVerdict: compareDurations(shared?.duration ?? null, published?.duration ?? null),
  };
}

type VersionValues = Omit<SplitResults['versions'][number], 'id' | 'number' | 'part'>;

function versionValues(figures: Figures | undefined, all: number): VersionValues {
  if (!figures)
    return {
      share: all === 0 ? null : 0,
      conversations: 0,
      calls: 0,
      chats: 0,
      costPerConversation: null,
      duration: null,
      answerTime: null,
    };
  const { calls, chats, cost, answerTime } = figures;
  const conversations = calls + chats;
  return {
    share: conversations / all,
    conversations,
    calls,
    chats,
    costPerConversation: Math.round((cost / conversations) * 100) / 100,
    duration: durationOf(figures.durations),
    answerTime,
  };
}

/** The median of what was counted by steps, and between which durations it lies. */
function durationOf(counts: readonly number[]): VersionValues['duration'] {
  const of = counts.reduce((sum, count) => sum + count, 0);
  const at = (share: number) => Math.round((valueAt(share, counts, DURATION_STEPS_SECONDS) ?? 0) * 10) / 10;
  if (of === 0) return null;
  const { low, high } = medianShares(of);
  return { count: of, medianSeconds: at(0.5), interval: { low: at(low), high: at(high) } };
}

/** Medians differ where the bounds of one are beyond those of the other: surer than it has to be. */
function compareDurations(
  shared: VersionValues['duration'],
  published: VersionValues['duration'],
): Difference['verdict'] | null {
  if (!shared || !published) return null;
  if (Math.min(shared.count, published.count) < 10) return 'too_few';
  if (shared.interval.low > published.interval.high) return 'higher';
  if (shared.interval.high < published.interval.low) return 'lower';
  const isWide = ({ interval: { low, high }, medianSeconds }: NonNullable<VersionValues['duration']>) =>
    high - low > medianSeconds / 2;
  return isWide(shared) || isWide(published) ? 'too_few' : 'unclear';
}

/** What can be told as a share: of outbound calls, of calls, of those with a sentiment, of those that were asked a field. */
function ratesOf(sides: readonly (Figures | undefined)[]): SplitRate[] {
  const rate = (what: SplitRate['what'], read: (figures: Figures) => Proportion): SplitRate[] => {
    const values = sides.map((figures) => (figures ? read(figures) : { count: 0, of: 0 }));
    // The first two are compared; one alone with nothing.
    const [shared, published] = values;
    if (values.every(({ of }) => of === 0)) return [];
    const difference = shared && published ? differenceOf(shared, published) : null;
    return [
      { what, values: values.map((each) => ({ ...each, interval: wilsonInterval(each) })), difference },
    ];
  };
  const outcomes = DISPOSITIONS.filter((each) => sides.some((side) => (side?.outcomes[each] ?? 0) > 0));
  const felt = ({ sentiments }: Figures) => SENTIMENTS.reduce((sum, each) => sum + sentiments[each], 0);
  return [
    ...rate({ kind: 'reached' }, ({ reached, outbound }) => ({ count: reached, of: outbound })),
    ...outcomes.flatMap((outcome) =>
      rate({ kind: 'outcome', outcome }, ({ outcomes: counts, calls }) => ({
        count: counts[outcome],
        of: calls,
      })),
    ),
    ...SENTIMENTS.flatMap((sentiment) =>
      rate({ kind: 'sentiment', sentiment }, (figures) => ({
        count: figures.sentiments[sentiment],
        of: felt(figures),
      })),
    ),
    ...fieldsOf(sides).flatMap(({ key, name, type }) =>
      rate({ kind: 'result', name, type }, ({ results }) => {
        const [asked, filled, yes] = results[key] ?? [0, 0, 0];
        return { count: type === 'yes_no' ? yes : filled, of: asked };
      }),
    ),
  ];
}

function fieldsOf(sides: readonly (Figures | undefined)[]): { key: string; name: string; type: FieldType }[] {
  const keys = new Set(sides.flatMap((side) => Object.keys(side?.results ?? {})));
  return [...keys].toSorted().map((key) => {
    const at = key.lastIndexOf(':');
    // The database writes both from a field of an agent.
    return { key, name: key.slice(0, at), type: key.slice(at + 1) as FieldType };
  });
}
