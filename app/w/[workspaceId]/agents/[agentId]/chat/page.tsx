import { ChatTab } from '#components/chat/chat-tab.tsx';

export const metadata = { title: 'Chat' };

export default async function AgentChatPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <ChatTab agentId={agentId} />;
}
