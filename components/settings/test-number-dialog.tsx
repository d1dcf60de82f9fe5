'use client';

import { PhoneCall } from 'lucide-react';
import { CallNumberForm } from '#components/calls/call-number-form.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { placeTestCall } from '#lib/features/calls/contract.ts';
import type { PhoneNumber } from '#lib/features/numbers/contract.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';

/** Places a real call from a number, so that its carrier is known to work. */
export function TestNumberDialog({ number }: { number: PhoneNumber }) {
  const { id: workspaceId } = useWorkspace();
  const place = (to: string) =>
    callOperation(placeTestCall, { body: { from: number.number, to } }, { workspaceId }).then(
      ({ data }) => data.callId,
    );
  return (
    <Dialog
      title={`Test ${formatPhoneNumber(number.number)}`}
      description={
        number.carrier === 'simulated'
          ? 'A simulated number calls nobody: the last two digits of the number that is called decide what happens.'
          : 'Places a real call, which the carrier may charge. To test the other way, call the number.'
      }
      size="lg"
      trigger={<IconButton label={`Test ${number.number}`} icon={<PhoneCall aria-hidden="true" />} />}
    >
      <CallNumberForm label="Number to call" action="Place test call" place={place} />
    </Dialog>
  );
}
