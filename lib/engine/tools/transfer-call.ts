import { z } from 'zod';
import type { Tool } from './tool.ts';

/** What a carrier with an operator of its own understands, where the plan names no number. */
const OPERATOR = 'operator';

export const transferCall: Tool<{ reason?: string | undefined }> = {
  name: 'transfer_call',
  description:
    'Connects the person with a human colleague. Tell the person in the same reply, before you use this, that you are connecting them. Use it when they ask for a human or when you cannot help.',
  parameters: z.object({
    reason: z.string().max(300).optional().describe('What the person wants, for the colleague.'),
  }),
  isOffered: (plan) => plan.hasCallTransfer,
  async run({ plan, finishAfterReply }) {
    const to = plan.transferNumber ?? OPERATOR;
    const callerId = plan.transferCallerId === 'human' ? plan.humanPhoneNumber : plan.agentPhoneNumber;
    finishAfterReply({ kind: 'transfer', to, callerId });
    return { ok: true, to };
  },
};
