import type { z } from 'zod';
import type { AgentView } from '#lib/features/agents/contract.ts';
import { updateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { behaviourSettingsSchema } from '#lib/features/agents/settings/contract.ts';

/** Everything on the Behaviour tab: the API's settings, and what only the dashboard changes about an agent. */
export const behaviourSchema = behaviourSettingsSchema.extend(
  updateAgent.body.omit({ inboundSinglePrompt: true }).shape,
);
export type BehaviourValues = z.input<typeof behaviourSchema>;

export function behaviourOf(agent: AgentView): BehaviourValues {
  return {
    name: agent.name,
    description: agent.description,
    isActive: agent.isActive,
    ...settingsOf(agent),
  };
}

function settingsOf(agent: AgentView): z.input<typeof behaviourSettingsSchema> {
  const { shape } = behaviourSettingsSchema;
  return Object.fromEntries(Object.entries(agent).filter(([name]) => name in shape));
}

/** Which part goes through which operation. */
export function splitBehaviour(values: BehaviourValues) {
  const { name, description, isActive, ...rest } = values;
  const identity = Object.fromEntries(
    Object.entries({ name, description, isActive }).filter(([, value]) => value !== undefined),
  ) as Pick<BehaviourValues, 'name' | 'description' | 'isActive'>;
  return { identity, settings: rest };
}
