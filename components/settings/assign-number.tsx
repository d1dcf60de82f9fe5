'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Field } from '#components/ui/field.tsx';
import { Select } from '#components/ui/select.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import { updateNumber } from '#lib/features/numbers/contract.ts';
import { numberQueries } from '#lib/features/numbers/queries.ts';
import { callOperation } from '#lib/http/client.ts';

/** Gives an agent one of the workspace's numbers, taking it from another agent if need be. */
export function AssignNumber({ agentId }: { agentId: string }) {
  const { id: workspaceId } = useWorkspace();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [numberId, setNumberId] = useState('');
  const { data: numbers } = useQuery(numberQueries.list(workspaceId));
  const others = (numbers ?? []).filter((number) => number.agent?.id !== agentId);
  const assign = useMutation({
    mutationFn: () =>
      callOperation(updateNumber, { params: { numberId }, body: { agentId } }, { workspaceId }),
    onSuccess: async ({ data }) => {
      setNumberId('');
      toast({ title: `${data.number} is assigned` });
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: agentQueries.root(workspaceId) }),
        queryClient.invalidateQueries({ queryKey: numberQueries.list(workspaceId).queryKey }),
      ]);
    },
    onError: (error) => toast({ title: describeFailure(error), tone: 'danger' }),
  });
  return (
    <Card title="Assign a number">
      <div className="flex flex-wrap items-end gap-2">
        <Field label="Number" className="w-full sm:w-80">
          <Select
            value={numberId}
            onValueChange={setNumberId}
            disabled={others.length === 0}
            placeholder={
              numbers && others.length === 0 ? 'No other number in this workspace' : 'Choose a number…'
            }
            options={others.map((number) => ({
              value: number.id,
              label: number.number,
              detail: number.agent ? `now answered by ${number.agent.name}` : 'no agent',
            }))}
          />
        </Field>
        <Button
          variant="primary"
          disabled={numberId === ''}
          isBusy={assign.isPending}
          onClick={() => assign.mutate()}
        >
          Assign
        </Button>
      </div>
    </Card>
  );
}
