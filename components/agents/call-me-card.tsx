'use client';

import { useState } from 'react';
import { CallNumberForm } from '#components/calls/call-number-form.tsx';
import { PromptField, PromptVariables } from '#components/calls/prompt-fields.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { placeTestCall } from '#lib/features/calls/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';

/** Lets the agent call whoever looks at its page, with one of its outbound prompts and what that asks for. */
export function CallMeCard({
  agentId,
  number,
  carrier,
}: {
  agentId: string;
  number: string;
  carrier: string;
}) {
  const { id: workspaceId } = useWorkspace();
  const [outboundPromptId, setPromptId] = useState<string>();
  const [variables, setVariables] = useState<Record<string, string>>({});
  const [isRefused, setRefused] = useState(false);
  const place = (to: string) =>
    callOperation(
      placeTestCall,
      { body: { from: number, to, ...(outboundPromptId ? { outboundPromptId } : {}), variables } },
      { workspaceId },
    ).then(({ data }) => data.callId);
  return (
    <Card
      title="Call me"
      description={`The agent calls from ${formatPhoneNumber(number)}. The call is marked as a test.`}
    >
      <CallNumberForm
        label="Your number"
        action="Call me"
        place={place}
        isDisabled={isRefused}
        description={
          carrier === 'simulated'
            ? 'A simulated number calls nobody: the last two digits decide who answers. Add a number of a carrier to be called.'
            : undefined
        }
      >
        <PromptField agentId={agentId} value={outboundPromptId} onChange={setPromptId} />
        {outboundPromptId ? (
          <PromptVariables
            key={outboundPromptId}
            agentId={agentId}
            promptId={outboundPromptId}
            values={variables}
            onChange={setVariables}
            onRefusal={setRefused}
          />
        ) : null}
      </CallNumberForm>
    </Card>
  );
}
