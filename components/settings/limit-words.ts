import type { Usage } from '#lib/features/workspaces/contract.ts';

/** What the monthly limit does, in the same words wherever it is spoken of. */
export function limitWords({ refusesIncomingAtLimit }: Pick<Usage, 'refusesIncomingAtLimit'>): string {
  return refusesIncomingAtLimit
    ? 'At the limit outbound and incoming calls are refused, and those that run end with a goodbye.'
    : 'At the limit outbound calls are refused, and those that run end with a goodbye. Incoming calls are still taken, and counted.';
}

export const LIMIT_LEAVES_OUT = 'Talks, chats and simulations from here do not count and are never refused.';

export const LIMIT_REMEDY = 'Raise the limit in Settings, Workspace, or wait for the next month (UTC).';

const amount = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });

/** How far what is left of the month reaches for people who are to be called; undefined without a limit. */
export function reachWords(usage: Usage, people: number): { isShort: boolean; words: string } | undefined {
  const { remainingMinutes } = usage;
  if (remainingMinutes === null || people === 0) return undefined;
  const left = `${amount.format(remainingMinutes)} ${remainingMinutes === 1 ? 'minute' : 'minutes'}`;
  const each = remainingMinutes / people;
  const share = each >= 1 ? `${amount.format(each)} min` : `${Math.floor(each * 60)} s`;
  // Each call reserves a minute before it is placed.
  const isShort = each < 1;
  const reach =
    remainingMinutes < 1
      ? 'The limit of this month is reached: nobody can be called.'
      : `${left} are left of this month's limit, ${share} for each person.`;
  return {
    isShort,
    words: `${reach} Where they are used up, the campaign pauses by itself. ${LIMIT_REMEDY}`,
  };
}
