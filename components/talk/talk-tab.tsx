'use client';

import { type ReactNode, useState } from 'react';
import { MicOff, PhoneOff } from 'lucide-react';
import { useAgent, useMayEdit } from '#components/agents/use-agent.ts';
import { PlacedCall } from '#components/calls/placed-call.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { EmptyState, Notice } from '#components/ui/empty-state.tsx';
import { triedVersionId } from '#components/versions/draft-choice.tsx';
import { StickyControls } from '#components/ui/sticky-controls.tsx';
import { TalkControls } from './talk-controls.tsx';
import { TalkStart, type TalkChoice } from './talk-start.tsx';
import { useTalk } from './use-talk.ts';

/** Talking to an agent in the browser: what to say and hear at the left, what was said and how long it took at the right. */
export function TalkTab({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { agent } = useAgent(agentId);
  const mayTalk = useMayEdit();
  if (!mayTalk)
    return (
      <EmptyState
        icon={<MicOff />}
        title="Viewers cannot talk to agents"
        description="Your role in this workspace is to read. An owner can change it under Settings, Members."
      />
    );
  if (!agent.isActive)
    return (
      <EmptyState
        icon={<PhoneOff />}
        title="The agent is inactive"
        description="An inactive agent places and takes no calls. Activate it in the menu above to talk to it."
      />
    );
  return <Talk key={agentId} agentId={agentId} agentName={agent.name} workspaceId={workspaceId} />;
}

function Start({ children }: { children: ReactNode }) {
  return <div className="flex min-w-0 flex-col gap-4">{children}</div>;
}

type TalkProps = { agentId: string; agentName: string; workspaceId: string };

function Talk({ agentId, agentName, workspaceId }: TalkProps) {
  const talk = useTalk(workspaceId);
  const kept = useAgent(agentId);
  const [choice, setChoice] = useState<TalkChoice>({ variables: {} });
  const { state } = talk;
  const isRunning = state.phase !== 'idle' && state.phase !== 'over';
  const Frame = isRunning ? StickyControls : Start;
  return (
    <div className="flex flex-col gap-6 lg:grid lg:grid-cols-2 lg:items-start">
      <Frame>
        {state.problem ? (
          <Notice tone="danger" title={state.problem.title}>
            {state.problem.description}
          </Notice>
        ) : null}
        {isRunning ? (
          <TalkControls talk={talk} agentName={agentName} />
        ) : (
          <TalkStart
            agentId={agentId}
            agentName={agentName}
            choice={choice}
            onChoose={setChoice}
            isAgain={state.phase === 'over'}
            takesFocus={state.phase === 'over' || state.problem !== null}
            onStart={({ hasMicrophone }) =>
              void talk.start({
                agentId,
                outboundPromptId: choice.promptId,
                agentVersionId: triedVersionId(kept, choice.tried),
                variables: choice.variables,
                hasMicrophone,
                recognizes: hasMicrophone ? choice.recognizes : undefined,
              })
            }
          />
        )}
      </Frame>
      <div className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-8">
        {state.conversationId ? (
          <PlacedCall
            key={state.conversationId}
            callId={state.conversationId}
            interim={isRunning ? state.interim : ''}
          />
        ) : (
          <EmptyState
            title="Nothing was said yet"
            description="The conversation appears here as it happens, with the time each answer took and the tools the agent used."
          />
        )}
      </div>
    </div>
  );
}
