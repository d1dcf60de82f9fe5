import { z } from 'zod';
import type { Tool } from './tool.ts';

export const endCall: Tool<{ reason?: string | undefined }> = {
  name: 'end_call',
  description:
    'Hangs up after your closing words were heard. Say goodbye in the same reply, before you use this. Use it when the person said goodbye, wants no more, or everything is settled.',
  // Optional: a model that says goodbye and forgets to say why must not have its goodbye asked for again.
  parameters: z.object({
    reason: z.string().max(300).optional().describe('Why the call ends, in a few words.'),
  }),
  isOffered: (plan) => plan.hasEndCall,
  async run(context, { reason }) {
    context.finishAfterReply({ kind: 'hang_up', reason: reason ?? '' });
    return { ok: true };
  },
};
