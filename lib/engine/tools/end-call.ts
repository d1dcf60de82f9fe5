import { z } from 'zod';
import type { Tool } from './tool.ts';

export const endCall: Tool<{ reason: string }> = {
  name: 'end_call',
  description:
    'Hangs up after your closing words were heard. Say goodbye in the same reply, before you use this. Use it when the person said goodbye, wants no more, or everything is settled.',
  parameters: z.object({ reason: z.string().max(300).describe('Why the call ends, in a few words.') }),
  isOffered: (plan) => plan.hasEndCall,
  async run(context, { reason }) {
    context.finishAfterReply({ kind: 'hang_up', reason });
    return { ok: true };
  },
};
