import type { Database } from '#db/client.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';
import { missingForOpening } from '#lib/engine/prompt/render.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { findFirstOutboundPrompt, findNumberWithAgent, findOutboundPrompt } from './repository.ts';

/**
 * The agent's end of a call with `person`: a number of the workspace whose agent may take calls now. Tells whether the
 * person asked not to be called again, and when people are called.
 */
export async function findAgentNumber(
  db: Database,
  workspaceId: WorkspaceId,
  { number, person }: { number: string; person: string },
) {
  const found = await findNumberWithAgent(db, workspaceId, number, person);
  if (!found) throw notFound('Phone number');
  if (found.agentId === null) throw new AppError('NOT_FOUND', 'No agent is assigned to this phone number');
  if (!found.isAgentActive)
    throw new AppError('AGENT_INACTIVE', 'The agent of this phone number is switched off');
  const { id, carrier, agentId, isOptedOut, callingHours, workspaceZone } = found;
  return { id, carrier, agentId, isOptedOut, callingHours, workspaceZone };
}

/**
 * The prompt an outbound call is run with: the one asked for, else the agent's first; and the variables without which its
 * hand-written opening states nothing, so that another one is said. Throws 400, 403 and 404 as `findPromptFor`.
 */
export async function chooseOutboundPrompt(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  asked: { outboundPromptId?: string | undefined; variables: Record<string, string> },
): Promise<{ outboundPromptId: string; missingForOpening: string[] }> {
  const prompt = await findPromptFor(db, workspaceId, agentId, asked.outboundPromptId);
  return { outboundPromptId: prompt.id, missingForOpening: missingForOpening(prompt, asked.variables) };
}

/** The prompt a request means: the one it names, else the agent's first. Throws 400, 403 and 404. */
export async function findPromptFor(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
  askedId: string | undefined,
) {
  if (askedId === undefined) {
    const first = await findFirstOutboundPrompt(db, workspaceId, agentId);
    if (first === undefined) throw new AppError('NO_OUTBOUND_PROMPT', 'The agent has no outbound prompt');
    return first;
  }
  const prompt = await findOutboundPrompt(db, workspaceId, askedId);
  if (prompt.agentId !== agentId) throw notFound('Outbound prompt');
  return prompt;
}
