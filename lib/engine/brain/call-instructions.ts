import type { CallPlan } from '#lib/engine/plan.ts';

/** What a model is told of a call before it begins. */
export function callInstructions(plan: CallPlan): string {
  return `${plan.prompt.instructions}\n\n${situationNote(plan)}`;
}

/** What no prompt can know: when the call takes place. */
function situationNote(plan: CallPlan): string {
  const now = new Intl.DateTimeFormat('en-US', {
    timeZone: plan.timeZone,
    dateStyle: 'full',
    timeStyle: 'short',
  })
    .format(plan.startedAt)
    .replace(/\s/g, ' ');
  return `The call began on ${now} (time zone ${plan.timeZone}).`;
}
