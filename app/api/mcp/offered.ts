import { getAgent, listAgents } from '#lib/features/agents/contract.ts';
import { queueOutboundCall } from '#lib/features/calls/contract.ts';
import { getConversation, listConversations } from '#lib/features/conversations/contract.ts';
import { listPhoneNumbers } from '#lib/features/numbers/contract.ts';
import { addOptOut, listOptOuts } from '#lib/features/opt-outs/contract.ts';
import { listOutboundPrompts } from '#lib/features/prompts/contract.ts';
import { listSystemTags } from '#lib/features/tags/contract.ts';
import type { OfferedOperation } from '#lib/http/mcp/tool.ts';
import { GET as handleGetAgent } from '../agents/[agentId]/route.ts';
import { GET as handleListOutboundPrompts } from '../agents/[agentId]/outbound-prompts/route.ts';
import { GET as handleListAgents } from '../agents/route.ts';
import { GET as handleGetConversation } from '../conversation/[id]/route.ts';
import { GET as handleListConversations } from '../conversations/route.ts';
import { GET as handleListOptOuts, POST as handleAddOptOut } from '../opt-outs/route.ts';
import { POST as handleQueueOutboundCall } from '../outbound/route.ts';
import { GET as handleListPhoneNumbers } from '../phone-numbers/route.ts';
import { GET as handleListSystemTags } from '../tags/route.ts';

/** What assistants may do: look, call somebody, and promise never to call somebody again. Agents are set up by people. */
export const OFFERED: readonly OfferedOperation[] = [
  { operation: listAgents, handle: handleListAgents },
  { operation: getAgent, handle: handleGetAgent },
  {
    operation: listOutboundPrompts,
    handle: handleListOutboundPrompts,
    note: 'The `{{name}}` in `instructions` and `opening` are the variables that a call with the prompt should be given.',
  },
  { operation: listPhoneNumbers, handle: handleListPhoneNumbers },
  {
    operation: queueOutboundCall,
    handle: handleQueueOutboundCall,
    note: 'This really calls a person and costs money. Read the answer with get_conversation some minutes later',
    isDestructive: true,
    reachesOthers: true,
  },
  {
    operation: listConversations,
    handle: handleListConversations,
    note: 'Long transcripts are shortened; read one whole with get_conversation',
  },
  { operation: getConversation, handle: handleGetConversation },
  { operation: listSystemTags, handle: handleListSystemTags },
  { operation: listOptOuts, handle: handleListOptOuts },
  { operation: addOptOut, handle: handleAddOptOut },
];
