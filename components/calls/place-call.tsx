'use client';

import { useCallback, useState } from 'react';
import { useSearchParams } from 'next/navigation';
import { useQuery } from '@tanstack/react-query';
import { PhoneOff } from 'lucide-react';
import { ApiCall } from '#components/forms/api-call.tsx';
import { describeFailure } from '#components/forms/server-problems.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { buttonClasses } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { EmptyState, ErrorState, Notice } from '#components/ui/empty-state.tsx';
import { Link } from '#components/ui/link.tsx';
import { PageHeader } from '#components/ui/page-header.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Tabs, TabsContent, TabsList, TabsTrigger } from '#components/ui/tabs.tsx';
import { queueOutboundCall, type OutboundCallInput } from '#lib/features/calls/contract.ts';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { callDefaults } from './call-defaults.ts';
import { InboundCallForm } from './inbound-call-form.tsx';
import { OutboundCallForm } from './outbound-call-form.tsx';
import { PlacedCall } from './placed-call.tsx';
import { useCallers, type Caller } from './use-callers.ts';

/** The forms at the left, the call as it happens at the right; the address remembers which call. */
export function PlaceCall() {
  const { callers, isPending, error } = useCallers();
  return (
    <>
      <PageHeader
        title="Place a call"
        description="Try an agent on a simulated person, or call somebody. The conversation appears as it happens."
      />
      {isPending ? (
        <Skeleton className="h-96" />
      ) : error && callers.length === 0 ? (
        <ErrorState title="The numbers could not be loaded" description={describeFailure(error)} />
      ) : callers.length === 0 ? (
        <NoNumbers />
      ) : (
        <Workbench callers={callers} />
      )}
    </>
  );
}

function Workbench({ callers }: { callers: readonly Caller[] }) {
  const { role } = useWorkspace();
  const again = useSearchParams().get('again');
  if (role === 'viewer') {
    return (
      <EmptyState
        icon={<PhoneOff />}
        title="Viewers cannot place calls"
        description="Your role in this workspace is to read. An owner can change it under Settings, Members."
      />
    );
  }
  if (!callers.some((caller) => caller.isActive)) return <NobodyActive />;
  return again === null ? (
    <Forms callers={callers} />
  ) : (
    <FormsOfCall key={again} callers={callers} callId={again} />
  );
}

/** The forms filled with an earlier call; its variables are read from it, so that they stand in no address. */
function FormsOfCall({ callers, callId }: { callers: readonly Caller[]; callId: string }) {
  const workspace = useWorkspace();
  const { data: call, error } = useQuery(conversationQueries.detail(workspace.id, callId));
  if (call) return <Forms callers={callers} again={call} />;
  if (!error) return <Skeleton className="h-96" />;
  return (
    <>
      <Notice tone="warning" title="The earlier call could not be loaded">
        {describeFailure(error)} The form below starts empty.
      </Notice>
      <Forms callers={callers} />
    </>
  );
}

function Forms({ callers, again }: { callers: readonly Caller[]; again?: CallDetail }) {
  const params = useSearchParams();
  const callId = params.get('call');
  const mode = params.get('mode') === 'inbound' ? 'inbound' : 'outbound';
  const [body, setBody] = useState<OutboundCallInput>({ from: '', to: '' });
  const onBodyChange = useCallback((next: OutboundCallInput) => setBody(next), []);
  const remember = (changes: Record<string, string>) => {
    const next = new URLSearchParams(params);
    for (const [name, value] of Object.entries(changes)) next.set(name, value);
    window.history.replaceState(null, '', `?${next}`);
  };
  const [defaults] = useState(() => callDefaults({ params, ...(again ? { again } : {}) }, callers));
  return (
    <div className="grid items-start gap-6 lg:grid-cols-2">
      <Card>
        <Tabs value={mode} onValueChange={(next) => remember({ mode: next })}>
          <TabsList aria-label="Kind of call">
            <TabsTrigger value="outbound">Outbound call</TabsTrigger>
            <TabsTrigger value="inbound">Simulate an inbound call</TabsTrigger>
          </TabsList>
          <TabsContent value="outbound">
            <OutboundCallForm
              callers={callers}
              defaults={defaults}
              onBodyChange={onBodyChange}
              onPlaced={(id) => remember({ call: id })}
            />
          </TabsContent>
          <TabsContent value="inbound">
            <InboundCallForm callers={callers} to={defaults.from} onPlaced={(id) => remember({ call: id })} />
          </TabsContent>
        </Tabs>
      </Card>
      <div className="flex min-w-0 flex-col gap-6 lg:sticky lg:top-8">
        {callId ? <PlacedCall key={callId} callId={callId} /> : null}
        {mode === 'outbound' ? (
          <Card title="The same over the API" description="With a key from Settings, API keys.">
            <ApiCall operation={queueOutboundCall} body={() => body} />
          </Card>
        ) : callId ? null : (
          <EmptyState
            title="No call yet"
            description="Simulate one, and the conversation appears here as it happens."
          />
        )}
      </div>
    </div>
  );
}

function NobodyActive() {
  const workspace = useWorkspace();
  return (
    <EmptyState
      icon={<PhoneOff />}
      title="No agent is active"
      description="Every agent that has a number is inactive, and an inactive agent places and takes no calls. Activate one on its page."
      actions={
        <Link href={workspacePath(workspace.id, 'agents')} className={buttonClasses({ variant: 'primary' })}>
          Go to the agents
        </Link>
      }
    />
  );
}

function NoNumbers() {
  const workspace = useWorkspace();
  return (
    <EmptyState
      icon={<PhoneOff />}
      title="No agent has a number yet"
      description="An agent calls from, and answers at, a number of this workspace. Create a number in the settings and assign it to an agent."
      actions={
        <Link
          href={workspacePath(workspace.id, 'settings/numbers')}
          className={buttonClasses({ variant: 'primary' })}
        >
          Set up a number
        </Link>
      }
    />
  );
}
