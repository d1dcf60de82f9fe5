import { ChatPromptTab } from '#components/agents/chat-prompt-tab.tsx';

export default async function ChatPromptPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <ChatPromptTab agentId={agentId} />;
}
