import { NewOutboundPrompt } from '#components/prompts/new-outbound-prompt.tsx';

export default async function NewOutboundPromptPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <NewOutboundPrompt agentId={agentId} />;
}
