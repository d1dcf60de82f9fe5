import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { AgentFrame } from '#components/agents/agent-frame.tsx';
import { Hydrated } from '#components/layout/hydrated.tsx';
import { loadAgentDetail } from '#lib/features/agents/loaders.ts';
import { agentQueries } from '#lib/features/agents/queries.ts';

type AgentLayoutProps = { params: Promise<{ workspaceId: string; agentId: string }>; children: ReactNode };

export async function generateMetadata({ params }: AgentLayoutProps): Promise<Metadata> {
  const { workspaceId, agentId } = await params;
  const { agent } = await loadAgentDetail(workspaceId, agentId);
  // Each tab names itself before the agent.
  return { title: { default: agent.name, template: `%s · ${agent.name} · Callwright` } };
}

export default async function AgentLayout({ params, children }: AgentLayoutProps) {
  const { workspaceId, agentId } = await params;
  const detail = await loadAgentDetail(workspaceId, agentId);
  return (
    <Hydrated
      fill={(client) => client.setQueryData(agentQueries.detail(workspaceId, agentId).queryKey, detail)}
    >
      <AgentFrame agentId={agentId}>{children}</AgentFrame>
    </Hydrated>
  );
}
