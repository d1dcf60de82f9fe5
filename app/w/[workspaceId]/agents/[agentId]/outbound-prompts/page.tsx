import { Hydrated } from '#components/layout/hydrated.tsx';
import { OutboundPromptList } from '#components/prompts/outbound-prompt-list.tsx';
import { loadOutboundPrompts } from '#lib/features/prompts/loaders.ts';
import { promptQueries } from '#lib/features/prompts/queries.ts';

export const metadata = { title: 'Outbound prompts' };

type Props = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function OutboundPromptsPage({ params }: Props) {
  const { workspaceId, agentId } = await params;
  const prompts = await loadOutboundPrompts(workspaceId, agentId);
  return (
    <Hydrated
      fill={(client) => {
        client.setQueryData(promptQueries.edited(workspaceId, agentId).queryKey, prompts);
      }}
    >
      <OutboundPromptList agentId={agentId} />
    </Hydrated>
  );
}
