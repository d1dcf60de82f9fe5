import { InboundPromptTab } from '#components/agents/inbound-prompt-tab.tsx';

export default async function InboundPromptPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <InboundPromptTab agentId={agentId} />;
}
