import { fillIn } from '../languages/language.ts';
import type { CallPlan } from '../plan.ts';

/** More than this nobody listens to before taking a call. */
const MOST_CHARACTERS = 300;

/** What the other party is told before the person is connected: who calls, what it is about, how to take the call. */
export function briefingFor(
  { prompt, language }: Pick<CallPlan, 'prompt' | 'language'>,
  about?: string,
): string {
  const { caller, subject, accept } = language.lines.consult;
  const { businessName: business } = prompt.card;
  const words = about
    ?.trim()
    .slice(0, MOST_CHARACTERS)
    .replace(/[.!?\s]+$/, '');
  const parts = [fillIn(caller, { business }), ...(words ? [fillIn(subject, { words })] : []), accept];
  return parts.join(' ');
}
