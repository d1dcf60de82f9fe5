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
    channel: filter.include_chats ? undefined : 'call',
    tests: filter.include_tests ? undefined : 'without',
  };
}

/** The filter with the person who asks where it says `me`: the same saved view is everybody's own. */
export function forActor<Filter extends CallFilter>(actor: { id: string }, filter: Filter): Filter {
  return filter.assignee === 'me' ? { ...filter, assignee: actor.id } : filter;
}

/** Words of a search; each has to occur somewhere. */
export function searchWords(search: string | undefined): string[] {
  return (search ?? '')
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, 10);
}

/** Who says a line of a transcript; nothing that anybody searches for. */
const SPEAKER = /^(?:Agent|Human): /;
const EXCERPT_BEFORE = 40;
const EXCERPT_CHARACTERS = 200;

/**
 * The line of a transcript that has the most of the words, from a little before the first of them; null where none
 * occurs. A word counts anywhere and in any case, as for the search.
 */
export function excerptOf(transcript: string, words: readonly string[]): string | null {
  const wanted = words.map((word) => word.toLowerCase());
  let best = { count: 0, line: '', at: 0 };
  for (const line of transcript.split('\n')) {
    const label = SPEAKER.exec(line)?.[0].length ?? 0;
    const lower = ' '.repeat(label) + line.slice(label).toLowerCase();
    const places = wanted.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
    if (places.length > best.count) best = { count: places.length, line, at: Math.min(...places) };
  }
  if (best.count === 0) return null;
  const start = best.at <= 2 * EXCERPT_BEFORE ? 0 : best.line.indexOf(' ', best.at - EXCERPT_BEFORE) + 1;
  const text = best.line.slice(start, start + EXCERPT_CHARACTERS);
  return `${start > 0 ? '… ' : ''}${text}${start + text.length < best.line.length ? '…' : ''}`;
}

/** A `like` pattern that finds `word` literally. */
export function containing(word: string): string {
  return `%${word.replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
}
