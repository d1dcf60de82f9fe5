// Every table in one namespace, for drizzle and for `Database`. Import a table from its own file elsewhere.
export * from './schema/agents.ts';
export * from './schema/auth.ts';
export * from './schema/call-tags.ts';
export * from './schema/calls.ts';
export * from './schema/carrier-pacing.ts';
export * from './schema/campaigns.ts';
export * from './schema/chats.ts';
export * from './schema/idempotency-keys.ts';
export * from './schema/integrations.ts';
export * from './schema/keys.ts';
export * from './schema/knowledge.ts';
export * from './schema/numbers.ts';
export * from './schema/opt-outs.ts';
export * from './schema/queue.ts';
export * from './schema/web-calls.ts';
export * from './schema/webhooks.ts';
export * from './schema/workspaces.ts';
