import { KnowledgeTab } from '#components/agents/knowledge-tab.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { loadKnowledgeBaseNames, loadKnowledgeBasesOfAgent } from '#lib/features/knowledge/loaders.ts';
import { knowledgeQueries } from '#lib/features/knowledge/queries.ts';

export const metadata = { title: 'Knowledge' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function AgentKnowledgePage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const [names, attached] = await Promise.all([
    loadKnowledgeBaseNames(workspaceId),
    loadKnowledgeBasesOfAgent(workspaceId, agentId),
  ]);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(knowledgeQueries.names(workspaceId).queryKey, names);
        client.setQueryData(knowledgeQueries.ofAgent(workspaceId, agentId).queryKey, attached);
      }}
    >
      <KnowledgeTab agentId={agentId} />
    </Hydrated>
  );
}
