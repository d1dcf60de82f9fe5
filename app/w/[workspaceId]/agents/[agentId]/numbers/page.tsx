import { NumbersTab } from '#components/agents/numbers-tab.tsx';

export const metadata = { title: 'Numbers' };

export default async function AgentNumbersPage({ params }: { params: Promise<{ agentId: string }> }) {
  const { agentId } = await params;
  return <NumbersTab agentId={agentId} />;
}
