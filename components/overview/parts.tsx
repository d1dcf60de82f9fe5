import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import type { Overview } from '#lib/features/overview/contract.ts';
import { PartsCard } from './parts-card.tsx';
import type { ListFilter } from './range.ts';

type PartsProps = { overview: Overview; hrefOf: (filter: ListFilter) => string };

export function AgentsCard({ overview, hrefOf }: PartsProps) {
  const { id: workspaceId } = useWorkspace();
  if (overview.agents.length === 0) return null;
  return (
    <PartsCard
      title="Agents"
      description="Each beside itself in the period before."
      noun="Agent"
      hrefOf={hrefOf}
      parts={overview.agents.map(({ agentId, name, isDeleted, current, before }) => ({
        id: agentId,
        name,
        href: isDeleted ? null : workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}`),
        note: current.chats > 0 ? `${current.chats} ${current.chats === 1 ? 'chat' : 'chats'}` : null,
        isDeleted,
        current,
        before,
        list: { agentId },
      }))}
    />
  );
}

/** Of calls that agents placed; calls that come in and chats have no prompt of these. */
export function PromptsCard({ overview, hrefOf }: PartsProps) {
  const { id: workspaceId } = useWorkspace();
  if (overview.prompts.length === 0) return null;
  return (
    <PartsCard
      title="Outbound prompts"
      description="What the calls were about that agents placed."
      noun="Prompt"
      hrefOf={hrefOf}
      parts={overview.prompts.map(({ promptId, title, agentId, agentName, current, before }) => ({
        id: `${agentId} ${promptId}`,
        name: title ?? promptId,
        href:
          title === null
            ? null
            : workspacePath(
                workspaceId,
                `agents/${encodeURIComponent(agentId)}/outbound-prompts/${encodeURIComponent(promptId)}`,
              ),
        note: agentName,
        isDeleted: title === null,
        current,
        before,
        list: { agentId, promptId },
      }))}
    />
  );
}
