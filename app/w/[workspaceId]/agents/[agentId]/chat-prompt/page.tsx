import { WidgetSettings } from '#components/chat/widget-settings.tsx';
import { ChatPromptTab } from '#components/agents/chat-prompt-tab.tsx';

export const metadata = { title: 'Chat prompt' };

export default async function ChatPromptPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return (
    <div className="flex flex-col gap-8">
      <ChatPromptTab agentId={agentId} />
      <WidgetSettings agentId={agentId} />
    </div>
  );
}
