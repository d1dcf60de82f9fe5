import { deriveOutboundPromptCard } from '#lib/features/prompts/contract.ts';
import { route } from '#lib/http/route.ts';

export const POST = route(deriveOutboundPromptCard)(async ({ actor, params, runtime }) => ({
  data: await runtime.prompts.deriveCard(actor, params),
  message: 'Voice card derived',
}));
