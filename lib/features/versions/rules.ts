import { createHash } from 'node:crypto';

/** A prompt in a version: its columns by their names, dates as ISO 8601. */
export type VersionedPrompt = { id: string; title: string; createdAt: string } & Record<string, unknown>;

/**
 * What a version holds: the agent's columns by their names, and its outbound prompts in their order, of which the first is
 * the default. Numbers and knowledge bases are attached to an agent and are no part of it.
 */
export type VersionContent = { agent: Record<string, unknown>; outboundPrompts: VersionedPrompt[] };

/** What one saved change made of the agent itself (`promptId` null) or of one of its outbound prompts. */
export type VersionChange = {
  promptId: string | null;
  /** The title of the prompt, as it is after the change. */
  title: string | null;
  kind: 'added' | 'removed' | 'changed';
  fields: string[];
};

/** Of an agent's row: where it stands, and what the change itself writes. */
const NOT_OF_AN_AGENT = ['id', 'workspaceId', 'versionId', 'createdAt', 'updatedAt', 'deletedAt'];
const NOT_OF_A_PROMPT = ['workspaceId', 'agentId', 'updatedAt'];

type Row = Record<string, unknown>;

/** The content of a version from the rows as they are. */
export function contentOf(
  agent: Row,
  prompts: readonly (Row & { id: string; title: string; createdAt: Date })[],
): VersionContent {
  return {
    agent: without(agent, NOT_OF_AN_AGENT),
    outboundPrompts: prompts.map((prompt) => ({
      ...without(prompt, NOT_OF_A_PROMPT),
      id: prompt.id,
      title: prompt.title,
      createdAt: prompt.createdAt.toISOString(),
    })),
  };
}

/**
 * What differs between two contents that have the same columns, the agent first, then its prompts in their order, those
 * that are gone last. Empty where nothing does.
 */
export function changesBetweenContents(before: VersionContent, after: VersionContent): VersionChange[] {
  const changes: VersionChange[] = [];
  const fields = differing(before.agent, after.agent);
  if (fields.length > 0) changes.push({ promptId: null, title: null, kind: 'changed', fields });
  const known = new Map(before.outboundPrompts.map((prompt) => [prompt.id, prompt]));
  for (const prompt of after.outboundPrompts) {
    const earlier = known.get(prompt.id);
    known.delete(prompt.id);
    const place = { promptId: prompt.id, title: prompt.title };
    if (!earlier) changes.push({ ...place, kind: 'added', fields: [] });
    else {
      const changed = differing(earlier, prompt);
      if (changed.length > 0) changes.push({ ...place, kind: 'changed', fields: changed });
    }
  }
  for (const { id, title } of known.values())
    changes.push({ promptId: id, title, kind: 'removed', fields: [] });
  return changes;
}

function differing(before: Row, after: Row): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].filter((name) => !isSame(before[name], after[name]));
}

/** JSON as the database gives it back has the keys of an object in another order. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(ordered(one)) === JSON.stringify(ordered(other));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, each]) => [name, ordered(each)]));
}

function without(row: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !names.includes(name)));
}

/**
 * Whether a conversation is one of the `percent` of a hundred that a second version gets. The same for the same id, in every
 * process and at every try; whoever is in a share is in every larger one.
 */
export function isInShare(conversationId: string, percent: number): boolean {
  return createHash('sha256').update(conversationId).digest().readUInt32BE(0) % 100 < percent;
}
