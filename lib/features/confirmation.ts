import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError } from '#lib/errors.ts';

/** What a person confirms, as it was shown: what is done, to what, and how much of it goes or was not looked at. */
export type Effect = { action: string } & Readonly<Record<string, unknown>>;
type ConfirmationDeps = Pick<Dependencies, 'sealer' | 'clock'>;

/** For as long a person may look at a question before it has to be asked again. */
const VALID_MS = 15 * 60_000;

/** A token that is good for just this effect, of this person in this workspace, for a quarter of an hour. */
export function confirmationOf({ sealer, clock }: ConfirmationDeps, actor: Actor, effect: Effect): string {
  return sealer.seal(String(clock.now().getTime() + VALID_MS), placeOf(actor, effect));
}

/**
 * Throws 428 CONFIRMATION_REQUIRED, with the effect and a token for it, where a person does not come with the token of
 * what happens now: they pressed before the count was there, or it is another one by now. Keys and jobs ask nobody.
 */
export function assertConfirmed(
  deps: ConfirmationDeps,
  actor: Actor,
  effect: Effect,
  message = 'This cannot be taken back: confirm what it deletes; nothing was changed',
): void {
  if (actor.kind !== 'user') return;
  const until = actor.confirmation && deps.sealer.open(actor.confirmation, placeOf(actor, effect));
  if (until && Number(until) > deps.clock.now().getTime()) return;
  const { action: _, ...shown } = effect;
  throw new AppError('CONFIRMATION_REQUIRED', message, {
    details: { effect: shown, confirmation: confirmationOf(deps, actor, effect) },
  });
}

function placeOf({ workspaceId, id }: Actor, effect: Effect): string {
  return JSON.stringify(['confirmation', workspaceId, id, effect]);
}
