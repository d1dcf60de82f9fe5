import { z } from 'zod';
import type { CallPlan } from '#lib/engine/plan.ts';
import type { Tool } from './tool.ts';

/** What a carrier with an operator of its own understands, where the plan names no number. */
const OPERATOR = 'operator';

/** Whom the call is handed to, and as whom, where the agent may hand it over and a number is set for it. */
export function transferTarget(plan: CallPlan): { to: string; callerId: string } | undefined {
  const mayTransfer = plan.hasCallTransfer && !plan.disabledToolNames.includes(transferCall.name);
  if (!mayTransfer || plan.transferNumber === null) return undefined;
  return { to: plan.transferNumber, callerId: callerIdOf(plan) };
}

/** As whom the agent hands over. */
export function callerIdOf(plan: CallPlan): string {
  return plan.transferCallerId === 'human' ? plan.humanPhoneNumber : plan.agentPhoneNumber;
}

export const transferCall: Tool<{ reason?: string | undefined }> = {
  name: 'transfer_call',
  description:
    'Connects the person with a human colleague. Tell the person in the same reply, before you use this, that you are connecting them. Use it when they ask for a human or when you cannot help.',
  parameters: z.object({
    reason: z.string().max(300).optional().describe('What the person wants, for the colleague.'),
  }),
  isOffered: (plan) => plan.hasCallTransfer,
  async run({ plan, finishAfterReply }, { reason }) {
    const to = plan.transferNumber ?? OPERATOR;
    finishAfterReply({ kind: 'transfer', to, callerId: callerIdOf(plan), reason });
    return { ok: true, to };
  },
};
