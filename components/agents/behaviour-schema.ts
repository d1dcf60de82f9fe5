import type { z } from 'zod';
import { agentSettingsSchema, type AgentView } from '#lib/features/agents/contract.ts';
import { updateAgent } from '#lib/features/agents/dashboard/contract.ts';

const settings = agentSettingsSchema.omit({
  inboundSinglePrompt: true,
  personaName: true,
  businessName: true,
  inboundGreeting: true,
  voiceScope: true,
  voiceTone: true,
  aiDisclosure: true,
  inboundVoicePrompt: true,
});

/** Everything on the Behaviour tab: the API's settings, and what only the dashboard changes about an agent. */
export const behaviourSchema = settings.extend(updateAgent.body.omit({ inboundSinglePrompt: true }).shape);
export type BehaviourValues = z.input<typeof behaviourSchema>;

export function behaviourOf(agent: AgentView): BehaviourValues {
  return {
    name: agent.name,
    description: agent.description,
    isActive: agent.isActive,
    ...settingsOf(agent),
  };
}

function settingsOf(agent: AgentView): z.input<typeof settings> {
  return {
    hasEndCall: agent.hasEndCall,
    hasBargeIn: agent.hasBargeIn,
    hasCallTransfer: agent.hasCallTransfer,
    transferCallerId: agent.transferCallerId,
    hasAutoInboundTransfer: agent.hasAutoInboundTransfer,
    inboundTransferNumber: agent.inboundTransferNumber,
    isMultilingual: agent.isMultilingual,
    hasLanguage: agent.hasLanguage,
    language: agent.language,
    voiceId: agent.voiceId,
    hasHints: agent.hasHints,
    hints: agent.hints,
    hasPostConversationWebhook: agent.hasPostConversationWebhook,
    postConversationWebhookUrl: agent.postConversationWebhookUrl,
    integrationIds: agent.integrationIds,
    disabledToolNames: agent.disabledToolNames,
  };
}

/** Which part goes through which operation. */
export function splitBehaviour(values: BehaviourValues) {
  const { name, description, isActive, ...rest } = values;
  const identity = Object.fromEntries(
    Object.entries({ name, description, isActive }).filter(([, value]) => value !== undefined),
  ) as Pick<BehaviourValues, 'name' | 'description' | 'isActive'>;
  return { identity, settings: rest };
}
