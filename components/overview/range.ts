import { workspacePath } from '#components/layout/navigation.ts';
import { DEFAULT_DAYS, getOverview, MOST_DAYS, type Overview } from '#lib/features/overview/contract.ts';
import type { OverviewFilter } from '#lib/features/overview/queries.ts';

export const PRESETS = [
  { days: 1, label: 'Today' },
  { days: 7, label: 'Last 7 days' },
  { days: 30, label: 'Last 30 days' },
  { days: 90, label: 'Last 90 days' },
  { days: 365, label: 'Last 365 days' },
] as const;

const FIELDS = ['days', 'from', 'to', 'agentId'] as const;
const DAY_MS = 86_400_000;

type Address = Record<string, string | string[] | undefined>;

/** What of an address the overview understands. A range that it would refuse is left out, not an error page. */
export function readOverviewFilter(address: Address): OverviewFilter {
  const given: OverviewFilter = Object.fromEntries(
    FIELDS.flatMap((field) => {
      const value = Array.isArray(address[field]) ? address[field][0] : address[field];
      return value && getOverview.query.shape[field].safeParse(value).success ? [[field, value]] : [];
    }),
  );
  const { from, to, days, agentId } = given;
  const ofAgent = agentId === undefined ? {} : { agentId };
  if (from !== undefined && to !== undefined && isRange(from, to)) return { from, to, ...ofAgent };
  return { ...(days === undefined ? {} : { days }), ...ofAgent };
}

/** Whether it is a range that the overview shows; both are days, `2026-11-22`. */
export function isRange(from: string, to: string): boolean {
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return days >= 1 && days <= MOST_DAYS;
}

/** The preset that an address names, or would if it named one; undefined for a range of its own. */
export function presetOf({ from, days }: OverviewFilter): (typeof PRESETS)[number] | undefined {
  if (from !== undefined) return undefined;
  return PRESETS.find((preset) => String(preset.days) === (days ?? String(DEFAULT_DAYS)));
}

export type ListFilter = Partial<
  Record<
    | 'channel'
    | 'direction'
    | 'disposition'
    | 'sentiment'
    | 'tag'
    | 'agentId'
    | 'promptId'
    | 'versionId'
    | 'result',
    string | undefined
  >
>;

/**
 * The list of what a number counts: ended conversations that began in a span, tests left out. `endsAt` null: in one that is
 * not over.
 */
export function listPath(
  workspaceId: string,
  { startsAt, endsAt }: Pick<Overview, 'startsAt'> & { endsAt: string | null },
  filter: ListFilter = {},
): string {
  const query = new URLSearchParams({
    tests: 'without',
    dateStart: String(Date.parse(startsAt)),
    // The list's last moment belongs to it.
    ...(endsAt === null ? {} : { dateEnd: String(Date.parse(endsAt) - 1) }),
  });
  for (const [name, value] of Object.entries(filter)) if (value) query.set(name, value);
  return `${workspacePath(workspaceId, 'conversations')}?${query.toString()}`;
}
