import { Hydrated } from '#components/layout/hydrated.tsx';
import { EditOutboundPrompt } from '#components/prompts/edit-outbound-prompt.tsx';
import { loadOutboundPrompt } from '#lib/features/prompts/loaders.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';

export const metadata = { title: 'Outbound prompt' };

type Props = { params: Promise<{ workspaceId: string; agentId: string; promptId: string }> };

export default async function OutboundPromptPage({ params }: Props) {
  const { workspaceId, agentId, promptId } = await params;
  const prompt = await loadOutboundPrompt(workspaceId, agentId, promptId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(promptQueries.detail(workspaceId, agentId, promptId).queryKey, prompt);
      }}
    >
      <EditOutboundPrompt agentId={agentId} promptId={promptId} />
    </Hydrated>
  );
}
