import { LAST_MOMENT_MS } from '#lib/http/schemas.ts';
import type { CallFilter, ConversationFilter } from './contract.ts';

/** No conversation began earlier. */
const FIRST_MS = 0;

/** A moment from Unix milliseconds, however far out the caller's number is. */
export function momentFrom(milliseconds: number): Date {
  return new Date(Math.min(LAST_MOMENT_MS, Math.max(FIRST_MS, milliseconds)));
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
