import type { AgentState, PromptState } from '#lib/features/versions/repository.ts';
import { changesBetweenContents, type VersionContent } from '#lib/features/versions/rules.ts';

/** What stays as it is whatever content an agent is given: switched off is switched off. */
const STAYS = ['isActive'];

type Columns = Record<string, unknown>;

/** What has to be written so that an agent has another content. */
export type ContentPlan = {
  /** The fields of the agent that differ; none: nothing does. */
  agent: Columns;
  insert: (Columns & { id: string })[];
  update: { id: string; change: Columns }[];
  remove: { id: string; title: string }[];
};

/**
 * Plans how an agent with its prompts becomes what `wanted` says. Only fields that there are today are written. Prompts that
 * are gone come back under their ids and in their place; those that `wanted` does not have go.
 */
export function planContent(
  live: { agent: AgentState; prompts: readonly PromptState[]; content: VersionContent },
  wanted: VersionContent,
): ContentPlan {
  const wantedPrompts = new Map(wanted.outboundPrompts.map((prompt) => [prompt.id, prompt]));
  const plan: ContentPlan = { agent: {}, insert: [], update: [], remove: [] };
  for (const { promptId, kind, fields, title } of changesBetweenContents(live.content, wanted)) {
    if (promptId === null)
      plan.agent = pick(
        wanted.agent,
        fields.filter((field) => field in live.agent && !STAYS.includes(field)),
      );
    else if (kind === 'removed') plan.remove.push({ id: promptId, title: title ?? '' });
    else {
      const prompt = wantedPrompts.get(promptId);
      if (!prompt) continue;
      const columns = { ...prompt, createdAt: new Date(prompt.createdAt) };
      if (kind === 'added') plan.insert.push(columns);
      else plan.update.push({ id: promptId, change: pick(columns, fields) });
    }
  }
  return plan;
}

export function isEmpty({ agent, insert, update, remove }: ContentPlan): boolean {
  return Object.keys(agent).length + insert.length + update.length + remove.length === 0;
}

function pick(columns: Columns, names: readonly string[]): Columns {
  return Object.fromEntries(names.map((name) => [name, columns[name]]));
}
