'use client';

import { CallNumberForm } from '#components/calls/call-number-form.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Card } from '#components/ui/card.tsx';
import { placeTestCall } from '#lib/features/calls/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';

/** Lets the agent call whoever looks at its page, with its first outbound prompt. */
export function CallMeCard({ number, carrier }: { number: string; carrier: string }) {
  const { id: workspaceId } = useWorkspace();
  const place = (to: string) =>
    callOperation(placeTestCall, { body: { from: number, to } }, { workspaceId }).then(
      ({ data }) => data.callId,
    );
  return (
    <Card
      title="Call me"
      description={`The agent calls from ${formatPhoneNumber(number)} with its first outbound prompt. The call is marked as a test.`}
    >
      <CallNumberForm
        label="Your number"
        action="Call me"
        place={place}
        description={
          carrier === 'simulated'
            ? 'A simulated number calls nobody: the last two digits decide who answers. Add a number of a carrier to be called.'
            : 'With its country code.'
        }
      />
    </Card>
  );
}
