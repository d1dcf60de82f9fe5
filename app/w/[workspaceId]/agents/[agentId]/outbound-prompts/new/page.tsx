import { NotAllowed } from '#components/layout/not-allowed.tsx';
import { NewOutboundPrompt } from '#components/prompts/new-outbound-prompt.tsx';
import { loadActor } from '#lib/auth/loaders.ts';
import { hasRole } from '#lib/auth/rules.ts';

export const metadata = { title: 'New outbound prompt' };

type NewOutboundPromptPageProps = { params: Promise<{ workspaceId: string; agentId: string }> };

export default async function NewOutboundPromptPage({ params }: NewOutboundPromptPageProps) {
  const { workspaceId, agentId } = await params;
  const actor = await loadActor(workspaceId);
  if (!hasRole(actor.role, 'member')) return <NotAllowed what="Writing a prompt" needs="member" />;
  return <NewOutboundPrompt agentId={agentId} />;
}
