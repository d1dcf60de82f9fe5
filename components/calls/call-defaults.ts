import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { Caller } from './use-callers.ts';

/** What the form for an outbound call starts with. */
export type CallDefaults = {
  from?: string | undefined;
  to?: string | undefined;
  promptId?: string | undefined;
  variables?: Record<string, string>;
  /** Why the number that was asked for cannot call; then no other is chosen in its place. */
  problem?: string;
};

type Asked = {
  /** `from`, `to`, `prompt` and `agentId` of the address. */
  params: Pick<URLSearchParams, 'get'>;
  /** The call that is to be placed again. */
  again?: Pick<
    CallDetail,
    | 'agentId'
    | 'agentName'
    | 'agentPhoneNumber'
    | 'humanPhoneNumber'
    | 'direction'
    | 'outboundPromptId'
    | 'variables'
  >;
};

/** Fills the form from a call that is repeated, else from the address, else with the first agent that may call. */
export function callDefaults({ params, again }: Asked, callers: readonly Caller[]): CallDefaults {
  if (again) {
    return {
      ...callerAt(callers, again.agentPhoneNumber, again.agentId),
      to: again.humanPhoneNumber,
      // What an inbound caller brought is no variable of an outbound prompt.
      ...(again.direction === 'OUTBOUND'
        ? { promptId: again.outboundPromptId ?? undefined, variables: again.variables }
        : {}),
    };
  }
  const shared = { to: params.get('to') ?? undefined, promptId: params.get('prompt') ?? undefined };
  const number = params.get('from');
  if (number !== null) return { ...callerAt(callers, number), ...shared };
  const agentId = params.get('agentId');
  if (agentId !== null) return { ...callerOf(callers, agentId), ...shared };
  return { from: callers.find((caller) => caller.isActive)?.number, ...shared };
}

function callerAt(callers: readonly Caller[], number: string, agentId?: string): CallDefaults {
  const caller = callers.find((each) => each.number === number);
  if (!caller)
    return { problem: `${number} is no longer a number of an agent. Choose another one to call from.` };
  if (!caller.isActive) return { problem: inactiveReason(caller.agentName) };
  if (agentId !== undefined && caller.agentId !== agentId) {
    return {
      from: number,
      problem: `${number} belongs to ${caller.agentName} now: that agent takes the call.`,
    };
  }
  return { from: number };
}

function callerOf(callers: readonly Caller[], agentId: string): CallDefaults {
  const own = callers.filter((caller) => caller.agentId === agentId);
  const [first] = own;
  if (!first)
    return { problem: 'This agent has no number to call from. Assign one under Numbers of the agent.' };
  if (!first.isActive) return { problem: inactiveReason(first.agentName) };
  return { from: first.number };
}

/** Why an agent offers no call, wherever a call is offered. */
export function inactiveReason(agentName: string): string {
  return `${agentName} is inactive: it places and takes no calls.`;
}
