type Guest = { tables: string[]; reason: string };

/** Files that name tables of another feature, each with the reason why asking would be worse. Keep them few. */
export const GUESTS: Record<string, Guest> = {
  'lib/auth/repository.ts': {
    tables: ['apiKeys', 'auditEvents', 'members', 'workspaces'],
    reason: 'authentication stands below the features: it finds out the workspace that they take as given',
  },
  'lib/features/agents/belongings/repository.ts': {
    tables: ['agentDrafts', 'agentKnowledgeBases', 'agentSplits', 'calls', 'outboundPrompts', 'phoneNumbers'],
    reason: 'listed, copied and deleted with an agent; the owners know agents, so asking them were a circle',
  },
  'lib/features/calls/admission/repository.ts': {
    tables: ['agents', 'outboundPrompts', 'phoneNumbers', 'workspaces'],
    reason: 'a few columns by one statement each, on the way of every request for a call',
  },
  'lib/features/calls/dispatch/repository.ts': {
    tables: ['workspaces'],
    reason: 'one index look-up for each workspace, in one statement (docs/decisions/0120)',
  },
  'lib/features/calls/execution/repository.ts': {
    tables: ['agentKnowledgeBases', 'agentSplits', 'agents', 'campaigns', 'outboundPrompts', 'workspaces'],
    reason: 'all that a call runs with, as it was at one moment: one statement',
  },
  'lib/features/calls/execution/held/repository.ts': {
    tables: [
      'agentSplits',
      'agentVersions',
      'agents',
      'campaigns',
      'chatWidgets',
      'outboundPrompts',
      'workspaces',
    ],
    reason: 'all that the end of a call is computed from: one statement',
  },
  'lib/features/campaigns/repository.ts': {
    tables: ['calls'],
    reason: 'how many people of a campaign were reached: counted where they are, and never written',
  },
  'lib/features/campaigns/people/repository.ts': {
    tables: ['calls'],
    reason:
      'each person with the last call to them, and whose calls are deleted: one join over ten thousand lines; it writes no call',
  },
  'lib/features/conversations/model-health/repository.ts': {
    tables: ['callEvents', 'calls'],
    reason: 'what calls told of the language model: the read side of calls; it writes nothing',
  },
  'lib/features/conversations/repository.ts': {
    tables: [
      'agentVersions',
      'agents',
      'callEvents',
      'callNotes',
      'callRatings',
      'callReviews',
      'calls',
      'campaigns',
      'outboundPrompts',
    ],
    reason:
      'conversations are the read side of calls: lists with names, filters, details; they write nothing',
  },
  'lib/features/conversations/listing/repository.ts': { tables: ['callTags', 'calls'], reason: 'as above' },
  'lib/features/conversations/listing/conditions.ts': { tables: ['callResults'], reason: 'as above' },
  'lib/features/conversations/listing/merged.ts': { tables: ['calls'], reason: 'as above' },
  'lib/features/conversations/listing/review.ts': { tables: ['callReviews'], reason: 'as above' },
  'lib/features/knowledge/bases/repository.ts': {
    tables: ['agents'],
    reason: 'every agent with whether it is attached: one join',
  },
  'lib/features/members/repository.ts': {
    tables: ['users'],
    reason: 'name and e-mail address of each member: one join',
  },
  'lib/features/numbers/repository.ts': {
    tables: ['agents', 'calls'],
    reason: "the name of each number's agent by one join; calls know numbers, so asking them were a circle",
  },
  'lib/features/overview/repository.ts': {
    tables: ['agents', 'calls', 'outboundPrompts', 'turns', 'workspaces'],
    reason: 'conversations are added up where they are, with names by one join each; it writes none of them',
  },
  'lib/features/provision/demo/repository.ts': {
    tables: ['callEvents', 'calls'],
    reason: "moves the demo's calls into the past, which nothing else may",
  },
  'lib/features/provision/repository.ts': {
    tables: [
      'agentKnowledgeBases',
      'agents',
      'apiKeys',
      'customTags',
      'knowledgeBases',
      'members',
      'outboundPrompts',
      'phoneNumbers',
      'workspaces',
    ],
    reason:
      'a provision file writes rows as they stand in it, in one way for all tables (docs/decisions/0085)',
  },
  'lib/features/recordings/repository.ts': {
    tables: ['auditEvents', 'callShares', 'calls', 'users'],
    reason: 'a signed link has no workspace to ask in; calls know recordings, so asking them were a circle',
  },
  'lib/features/retention/repository.ts': {
    tables: ['calls', 'workspaces'],
    reason: 'finds what is over its time along the index of the list; what it finds is deleted by its owners',
  },
  'lib/features/shares/opening/repository.ts': {
    tables: ['calls'],
    reason: 'a link has no workspace to ask in: what it shows is found by one join',
  },
  'lib/features/reviews/repository.ts': {
    tables: ['calls'],
    reason: 'its rows keep what the list asks of a call, copied in one statement',
  },
  'lib/features/search/repository.ts': {
    tables: ['agents', 'calls', 'knowledgeBases', 'outboundPrompts', 'phoneNumbers'],
    reason: 'one search over all nouns, which spells its conditions once',
  },
  'lib/features/status/repository.ts': {
    tables: ['calls', 'documents', 'phoneNumbers', 'webhookDeliveries'],
    reason: 'what is open everywhere, counted by one statement each time that figures are asked for',
  },
  'lib/features/usage/repository.ts': {
    tables: ['workspaces'],
    reason: 'the limit is checked where it is reserved: one statement (docs/decisions/0121)',
  },
  'lib/features/versions/repository.ts': {
    tables: ['agents', 'outboundPrompts'],
    reason:
      'what an agent is, read with its lock, and which version holds it; agents and prompts know versions',
  },
  'lib/features/webhooks/repository.ts': {
    tables: ['agents', 'callEvents', 'calls', 'workspaces'],
    reason: "where a call's webhook goes, in the transaction that ends it; calls know webhooks",
  },
  'lib/features/webhooks/sending/repository.ts': {
    tables: ['callEvents', 'calls', 'workspaces'],
    reason: '200 sends a second: bodies by one join, a result and its event by one statement',
  },
};
