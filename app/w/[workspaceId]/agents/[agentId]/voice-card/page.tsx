import { VoiceCardTab } from '#components/agents/voice-card-tab.tsx';

export const metadata = { title: 'Voice card' };

export default async function VoiceCardPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <VoiceCardTab agentId={agentId} />;
}
