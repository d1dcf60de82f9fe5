'use client';

import { useQuery } from '@tanstack/react-query';
import { formatPhoneNumber } from '#lib/phone-number.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { agentQueries } from '#lib/features/agents/queries.ts';
import type { NumberCarrier } from '#lib/ports/carrier-kinds.ts';

export type Caller = {
  number: string;
  carrier: NumberCarrier;
  agentId: string;
  agentName: string;
  isActive: boolean;
  /** Why calls with the agent are refused. */
  refusal: string | null;
};

/** Every number of the workspace that an agent calls from and answers at. */
export function useCallers() {
  const workspace = useWorkspace();
  const { data, isPending, error } = useQuery(agentQueries.list(workspace.id));
  const callers: Caller[] = (data ?? []).flatMap((agent) =>
    agent.phoneNumbers.map((phone) => ({
      number: phone.number,
      carrier: phone.carrier,
      agentId: agent.id,
      agentName: agent.name,
      isActive: agent.isActive,
      refusal: agent.languageRefusal,
    })),
  );
  return { callers, isPending, error };
}

export function callerOptions(callers: readonly Caller[]) {
  return callers.map((caller) => ({
    value: caller.number,
    label: `${formatPhoneNumber(caller.number)} · ${caller.agentName}`,
    detail: caller.isActive ? undefined : 'This agent is inactive',
    isDisabled: !caller.isActive,
  }));
}
