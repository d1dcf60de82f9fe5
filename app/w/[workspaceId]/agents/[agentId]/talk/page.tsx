import { TalkTab } from '#components/talk/talk-tab.tsx';

export const metadata = { title: 'Talk' };

export default async function AgentTalkPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <TalkTab agentId={agentId} />;
}
