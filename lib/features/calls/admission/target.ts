import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { findFirstOutboundPromptId, findNumberWithAgent, findOutboundPrompt } from './repository.ts';

/** The agent's end of a call: a number of the workspace whose agent may take calls now. */
export async function findAgentNumber(db: Database, workspaceId: WorkspaceId, number: string) {
  const found = await findNumberWithAgent(db, workspaceId, number);
  if (!found) throw notFound('Phone number');
  if (found.agentId === null) throw new AppError('NOT_FOUND', 'No agent is assigned to this phone number');
  if (!found.isAgentActive)
    throw new AppError('AGENT_INACTIVE', 'The agent of this phone number is switched off');
  return { id: found.id, carrier: found.carrier, agentId: found.agentId };
}

/** The prompt an outbound call is held with: the one asked for, else the agent's first. */
export async function chooseOutboundPrompt(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  asked: string | undefined,
): Promise<string> {
  if (asked === undefined) {
    const first = await findFirstOutboundPromptId(db, workspaceId, agentId);
    if (first === undefined) throw new AppError('NO_OUTBOUND_PROMPT', 'The agent has no outbound prompt');
    return first;
  }
  const prompt = await findOutboundPrompt(db, workspaceId, asked);
  if (prompt.agentId !== agentId) throw notFound('Outbound prompt');
  return prompt.id;
}
