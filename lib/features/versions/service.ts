import type { Database } from '#db/client.ts';
import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { notFound, validationError } from '#lib/errors.ts';
import {
  type AgentState,
  findLatestVersion,
  findVersion,
  insertVersion,
  lockState,
  nextNumber,
  type PromptState,
  setCurrentVersion,
  statesOf,
  type VersionRow,
} from './repository.ts';
import { changesBetweenContents, type VersionContent } from './rules.ts';

type Author = Pick<VersionRow, 'authorKind' | 'authorId' | 'authorLabel'>;
const UNKNOWN: Author = { authorKind: 'unknown', authorId: null, authorLabel: null };

/**
 * Writes what an agent and its outbound prompts are now as a version by `actor`, in the transaction of the change. Nothing
 * is written where it is what the last version holds. Gives the id of the version that holds it; undefined where the agent
 * is gone. Call it after every change of either table.
 */
export async function noteVersion(
  tx: Database,
  deps: Pick<Dependencies, 'clock' | 'ids'>,
  actor: Actor,
  agentId: string,
  { restoredNumber = null }: { restoredNumber?: number | null } = {},
): Promise<string | undefined> {
  const author = { authorKind: actor.kind, authorId: actor.id, authorLabel: actor.label };
  const state = await lockState(tx, actor.workspaceId, agentId);
  if (!state) return undefined;
  const version = { author, at: deps.clock.now(), restoredNumber };
  return keepState(tx, deps, actor.workspaceId, { ...state, ...version });
}

/**
 * The version that holds what is published of an agent. Where the last change left none (an agent from before versions were
 * kept, a process of an older release), it is written now, with an unknown author and the time of that change. Undefined
 * where the agent is gone.
 */
export async function currentVersionId(
  db: Database,
  ids: Dependencies['ids'],
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    const state = await lockState(tx, workspaceId, agentId);
    if (!state) return undefined;
    if (state.agent.versionId !== null) return state.agent.versionId;
    const times = [state.agent, ...state.prompts].map((row) => row.updatedAt.getTime());
    const at = new Date(Math.max(...times));
    return keepState(tx, { ids }, workspaceId, { ...state, author: UNKNOWN, at, restoredNumber: null });
  });
}

async function keepState(
  tx: Database,
  { ids }: Pick<Dependencies, 'ids'>,
  workspaceId: WorkspaceId,
  state: { agent: AgentState; content: VersionContent; author: Author; at: Date } & Pick<
    VersionRow,
    'restoredNumber'
  >,
): Promise<string> {
  const { agent, content, author, at, restoredNumber } = state;
  const latest = await findLatestVersion(tx, workspaceId, agent.id);
  const changes = latest ? changesBetweenContents(latest.content, content) : [];
  if (latest && changes.length === 0) {
    if (agent.versionId !== latest.id) await setCurrentVersion(tx, workspaceId, agent.id, latest.id);
    return latest.id;
  }
  const id = ids.next('ver');
  await insertVersion(tx, workspaceId, {
    id,
    agentId: agent.id,
    number: await nextNumber(tx, workspaceId, agent.id),
    content,
    changes,
    restoredNumber,
    ...author,
    createdAt: at,
  });
  await setCurrentVersion(tx, workspaceId, agent.id, id);
  return id;
}

/**
 * Throws where a talk or chat may not be held with a version: 400 for one that is no test, since people get what is published,
 * 404 for a version that is not the agent's or has no such prompt, 403 for another workspace's.
 */
export async function assertHoldable(
  db: Database,
  workspaceId: WorkspaceId,
  wanted: { agentId: string; agentVersionId: string; outboundPromptId: string | null; isTest: boolean },
): Promise<void> {
  const { agentId, agentVersionId: versionId, outboundPromptId, isTest } = wanted;
  if (!isTest) throw validationError([{ field: 'agentVersionId', reason: 'is for tests: send isTest too' }]);
  const { content } = await findVersion(db, workspaceId, { agentId, versionId });
  if (outboundPromptId !== null && !content.outboundPrompts.some(({ id }) => id === outboundPromptId))
    throw notFound('Outbound prompt');
}

/** An agent as a version has it, in the shape in which calls and chats are planned from the tables. */
export type VersionOfAgent = {
  id: string;
  /** Counts from 1; null for a state of the draft. */
  number: number | null;
  agent: AgentState;
  /** The default prompt first. */
  prompts: PromptState[];
};

/**
 * One version of an agent, published at some time or a state of its draft, as rows of `agents` and `outbound_prompts`: what
 * plans a conversation takes these. Whether the agent is switched on is as it is now. A call, web call or chat that is
 * written with the id as its `agentVersionId` is held with this version (`planCall`, `planChat`); without one it is held
 * with what is published when it begins, and its id is noted on the call then. For "what is published" ask
 * `currentVersionId`.
 *
 * Throws 404 for an unknown version, 403 for another workspace's.
 */
export async function getVersion(
  db: Database,
  workspaceId: WorkspaceId,
  place: { agentId: string; versionId: string },
  live: Pick<AgentState, 'isActive' | 'createdAt'>,
): Promise<VersionOfAgent> {
  const row = await findVersion(db, workspaceId, place);
  return { id: row.id, number: row.number, ...statesOf(row, live) };
}
