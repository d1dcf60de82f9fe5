'use client';

import type { ReactNode } from 'react';
import { workspacePath } from '#components/layout/navigation.ts';
import { SectionNav } from '#components/layout/section-nav.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { CopyButton } from '#components/ui/copy-button.tsx';
import { Notice } from '#components/ui/empty-state.tsx';
import { Page, PageHeader } from '#components/ui/page-header.tsx';
import { SplitBar } from '#components/splits/split-bar.tsx';
import { DraftBar } from '#components/versions/draft-bar.tsx';
import { languageRefusal } from '#lib/engine/prompt/spoken-language.ts';
import { AgentActions } from './agent-actions.tsx';
import { useAgent } from './use-agent.ts';

const TABS = [
  { path: '', label: 'Prompt' },
  { path: '/voice-card', label: 'Voice card' },
  { path: '/outbound-prompts', label: 'Outbound prompts' },
  { path: '/chat-prompt', label: 'Chat prompt' },
  { path: '/behaviour', label: 'Behaviour' },
  { path: '/knowledge', label: 'Knowledge' },
  { path: '/results', label: 'Results' },
  { path: '/numbers', label: 'Numbers' },
  { path: '/talk', label: 'Talk' },
  { path: '/chat', label: 'Chat' },
  { path: '/simulations', label: 'Simulations' },
  { path: '/versions', label: 'Versions' },
];

/** What stays while one goes from tab to tab of an agent: its name, state and actions. */
export function AgentFrame({ agentId, children }: { agentId: string; children: ReactNode }) {
  const { id: workspaceId } = useWorkspace();
  const { agent, draft, split, hasLanguageModel } = useAgent(agentId);
  const refusal = hasLanguageModel
    ? null
    : languageRefusal({
        language: agent.hasLanguage ? agent.language : null,
        text: agent.inboundPrompt ?? '',
      });
  const base = workspacePath(workspaceId, `agents/${encodeURIComponent(agentId)}`);
  return (
    <Page>
      <PageHeader
        trail={[{ label: 'Agents', href: workspacePath(workspaceId, 'agents') }]}
        title={agent.name}
        badge={
          <Badge tone={agent.isActive ? 'success' : 'neutral'}>
            {agent.isActive ? 'Active' : 'Inactive'}
          </Badge>
        }
        description={
          <>
            {agent.description ? <p>{agent.description}</p> : null}
            <p className="flex items-center gap-0.5 font-mono text-xs text-ink-subtle">
              {agent.id}
              <CopyButton text={agent.id} label="Copy agent id" />
            </p>
          </>
        }
        actions={<AgentActions agent={agent} />}
      />
      {refusal ? (
        <Notice tone="warning" title="Calls with this agent are refused">
          {refusal} Set OPENAI_API_KEY or OPENAI_BASE_URL, or let it speak English.
        </Notice>
      ) : null}
      {draft ? <DraftBar agentId={agentId} draft={draft} /> : null}
      {split ? <SplitBar agentId={agentId} split={split} hasDraft={draft !== null} /> : null}
      <SectionNav label="Parts of this agent" base={base} sections={TABS} />
      {children}
    </Page>
  );
}
