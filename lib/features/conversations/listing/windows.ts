import { sql, type SQL } from 'drizzle-orm';
import type { WorkspaceId } from '#lib/auth/actor.ts';

/*
 * The index of words comes in no order, and a word may stand in a quarter of a million conversations. So it also knows in
 * which windows of time a conversation lies (`call_windows` in drizzle/): a day, eight, 64 and 512 of them. The newest
 * that match are found from window to window, going into the days of one only where many match (docs/decisions/0343).
 */

const DAY_MS = 86_400_000;
/** In days; a level's number is its place. */
const WIDTHS = [1, 8, 64, 512] as const;

export type Found = { id: string; date_initiated: string | Date };

/** From and until when, in milliseconds, both included. */
type Span = { from: number; to: number };

type Search = {
  span: Span;
  limit: number;
  order: 'newest first' | 'oldest first';
  /** Those that match in a window, in no order, and at most so many. */
  some(window: SQL, atMost: number): Promise<Found[]>;
  /** The first of them in the order of the list. */
  first(window: SQL, limit: number): Promise<Found[]>;
};

/** What a window can have before its parts are looked at one by one. */
const MOST = 500;

/** All conversations of a workspace, for the index of words; without it, those of all workspaces would be found. */
export function ofWorkspace(workspaceId: WorkspaceId): SQL {
  return sql` and call_windows(calls.workspace_id, calls.date_initiated) @> array[${workspaceId}]`;
}

function inWindow(workspaceId: WorkspaceId, level: number, number: number): SQL {
  const name = `${workspaceId} ${level} ${number}`;
  return sql` and call_windows(calls.workspace_id, calls.date_initiated) @> array[${name}]`;
}

/** The first that match, in order, as many as are wanted. */
export async function findInWindows(workspaceId: WorkspaceId, search: Search): Promise<Found[]> {
  const isDown = search.order === 'newest first';
  const found: Found[] = [];
  const isEnough = () => found.length >= search.limit;

  async function look(level: number, { from, to }: Span): Promise<void> {
    const widthMs = (WIDTHS[level] ?? 1) * DAY_MS;
    const [first, last] = [Math.floor(from / widthMs), Math.floor(to / widthMs)];
    for (let step = 0; step <= last - first && !isEnough(); step += 1) {
      const number = isDown ? last - step : first + step;
      const window = inWindow(workspaceId, level, number);
      const some = await search.some(window, MOST + 1);
      if (some.length <= MOST) found.push(...some.toSorted(byPlace));
      else if (level === 0) found.push(...(await search.first(window, search.limit - found.length)));
      else {
        const [begin, end] = [number * widthMs, (number + 1) * widthMs - 1];
        await look(level - 1, { from: Math.max(from, begin), to: Math.min(to, end) });
      }
    }
  }

  function byPlace(one: Found, other: Found): number {
    const sign = isDown ? -1 : 1;
    const apart = new Date(one.date_initiated).getTime() - new Date(other.date_initiated).getTime();
    return sign * (apart || (one.id < other.id ? -1 : 1));
  }

  await look(WIDTHS.length - 1, search.span);
  return found.slice(0, search.limit);
}
