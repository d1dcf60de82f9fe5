'use client';

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { beyondNumberLimit, useLines } from '#components/calls/use-lines.ts';
import { NewButton, OperationDialog } from '#components/forms/operation-dialog.tsx';
import { NumberField, SelectField } from '#components/forms/form-fields.tsx';
import { PhoneField } from '#components/forms/phone-field.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { createNumber } from '#lib/features/numbers/contract.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { callOperation } from '#lib/http/client.ts';
import { formatPhoneNumber } from '#lib/phone-number.ts';

const NEW = { carrier: 'simulated' as const, number: undefined, agentId: null, maxConcurrentCalls: 10 };

const CARRIERS = [
  { value: 'simulated', label: 'Simulated' },
  { value: 'sip', label: 'SIP: a softphone or a trunk' },
  { value: 'twilio', label: 'Twilio' },
];

export function CreateNumberDialog() {
  const { id: workspaceId } = useWorkspace();
  const { data: agents } = useQuery(agentQueries.list(workspaceId));
  const { ofWorkspace } = useLines(null);
  const queryClient = useQueryClient();
  const toast = useToast();
  return (
    <OperationDialog
      title="New number"
      trigger={<NewButton>New number</NewButton>}
      saveLabel="Create number"
      schema={createNumber.body}
      values={NEW}
      save={(body) => callOperation(createNumber, { body }, { workspaceId })}
      onSaved={({ data }) => {
        toast({ title: `${formatPhoneNumber(data.number)} was created` });
        void queryClient.invalidateQueries({ queryKey: numberQueries.root(workspaceId) });
        void queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) });
      }}
    >
      {(form) => (
        <>
          <SelectField form={form} name="carrier" label="Carrier" options={CARRIERS} />
          <PhoneField
            form={form}
            name="number"
            label="Number"
            isOptional
            placeholder="+1 555 010 0001"
            description="Empty: a free simulated number is chosen."
          />
          <SelectField
            form={form}
            name="agentId"
            label="Agent"
            isNullable
            options={[
              { value: '', label: 'No agent' },
              ...(agents ?? []).map((agent) => ({ value: agent.id, label: agent.name })),
            ]}
          />
          <NumberField
            form={form}
            name="maxConcurrentCalls"
            label="Calls at once"
            min={1}
            description={beyondNumberLimit(ofWorkspace)}
          />
        </>
      )}
    </OperationDialog>
  );
}
