import { redirect } from 'next/navigation';
import { workspacePath } from '#components/layout/navigation.ts';
import { loadUserOrSignIn } from '#lib/auth/loaders.ts';
import { loadAgents } from '#lib/features/agents/loaders.ts';
import { loadWorkspaces } from '#lib/features/workspaces/loaders.ts';

/** The shortest way to a spoken answer: the first agent of one's first workspace. */
export default async function TalkPage() {
  await loadUserOrSignIn();
  const [workspace] = await loadWorkspaces();
  if (!workspace) redirect('/');
  const agents = await loadAgents(workspace.id);
  const agent = agents.find((each) => each.isActive);
  if (!agent) redirect(workspacePath(workspace.id, 'agents'));
  redirect(workspacePath(workspace.id, `agents/${encodeURIComponent(agent.id)}/talk`));
}
