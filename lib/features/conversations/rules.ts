import type { CallFilter, ConversationFilter } from './contract.ts';

/** PostgreSQL and JavaScript agree on dates within these bounds; no conversation lies outside. */
const FIRST_MS = 0;
const LAST_MS = Date.UTC(9999, 11, 31);

/** A moment from Unix milliseconds, however far out the caller's number is. */
export function momentFrom(milliseconds: number): Date {
  return new Date(Math.min(LAST_MS, Math.max(FIRST_MS, milliseconds)));
}

/** The API's filter in the dashboard's words: one query serves both. */
export function toCallFilter(filter: ConversationFilter): CallFilter {
  return {
    status: 'ended',
    agentId: filter.agent_id,
    direction: filter.direction,
    sentiment: filter.sentiment,
    dateStart: filter.datetime_start,
    dateEnd: filter.datetime_end,
  };
}

/** Words of a search; each has to occur somewhere. */
export function searchWords(search: string | undefined): string[] {
  return (search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 10);
}

/** A `like` pattern that finds `word` literally. */
export function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
