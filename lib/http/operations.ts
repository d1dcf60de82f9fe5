import { knowledgeOperations } from '#lib/features/knowledge/contract.ts';
import { knowledgeDashboardOperations } from '#lib/features/knowledge/dashboard/contract.ts';
import { callOperations } from '#lib/features/calls/contract.ts';
import { callSupervisionOperations } from '#lib/features/calls/supervision/contract.ts';
import { noteOperations } from '#lib/features/notes/contract.ts';
import { deletionOperations } from '#lib/features/deletion/contract.ts';
import { retentionOperations } from '#lib/features/retention/contract.ts';
import { savedViewOperations } from '#lib/features/saved-views/contract.ts';
import { shareOperations } from '#lib/features/shares/contract.ts';
import { reviewOperations } from '#lib/features/reviews/contract.ts';
import { webCallOperations } from '#lib/features/calls/web/contract.ts';
import { chatOperations } from '#lib/features/chats/contract.ts';
import { widgetOperations } from '#lib/features/chats/widget/contract.ts';
import { conversationOperations } from '#lib/features/conversations/contract.ts';
import { conversationExportOperations } from '#lib/features/conversations/export/contract.ts';
import { modelHealthOperations } from '#lib/features/conversations/model-health/contract.ts';
import { campaignOperations } from '#lib/features/campaigns/contract.ts';
import { campaignDashboardOperations } from '#lib/features/campaigns/dashboard/contract.ts';
import { campaignPeopleOperations } from '#lib/features/campaigns/people/contract.ts';
import { overviewOperations } from '#lib/features/overview/contract.ts';
import { attentionOperations } from '#lib/features/overview/attention/contract.ts';
import { recordingOperations } from '#lib/features/recordings/contract.ts';
import { statusOperations } from '#lib/features/status/contract.ts';
import { webhookOperations } from '#lib/features/webhooks/contract.ts';
import { postConversationWebhook } from '#lib/features/webhooks/sending/contract.ts';
import { agentOperations } from '#lib/features/agents/contract.ts';
import { resultFieldOperations } from '#lib/features/agents/results/contract.ts';
import { agentDashboardOperations } from '#lib/features/agents/dashboard/contract.ts';
import { draftOperations } from '#lib/features/publishing/drafts/contract.ts';
import { historyOperations } from '#lib/features/publishing/history/contract.ts';
import { splitOperations } from '#lib/features/publishing/splits/contract.ts';
import { promptOperations } from '#lib/features/prompts/contract.ts';
import { previewOperations } from '#lib/features/prompts/preview/contract.ts';
import { auditOperations } from '#lib/features/audit/contract.ts';
import { integrationOperations } from '#lib/features/integrations/contract.ts';
import { keyOperations } from '#lib/features/keys/contract.ts';
import { memberOperations } from '#lib/features/members/contract.ts';
import { optOutOperations } from '#lib/features/opt-outs/contract.ts';
import { numberOperations } from '#lib/features/numbers/contract.ts';
import { profileOperations } from '#lib/features/profile/contract.ts';
import { tagOperations } from '#lib/features/tags/contract.ts';
import { workspaceOperations } from '#lib/features/workspaces/contract.ts';
import { simulationOperations } from '#lib/features/simulations/contract.ts';
import { simulationDashboardOperations } from '#lib/features/simulations/dashboard/contract.ts';
import { searchOperations } from '#lib/features/search/contract.ts';
import type { Operation, WebhookDescription } from './operation.ts';

/**
 * Every operation of the service. The gate (unknown routes), the OpenAPI document and the contract tests read
 * this list; a new endpoint is added here and nowhere else besides its contract, service and route file.
 */
export const operations: readonly Operation[] = [
  // In the order of the reference page.
  ...callOperations,
  ...campaignOperations,
  ...campaignPeopleOperations,
  ...campaignDashboardOperations,
  ...webCallOperations,
  ...callSupervisionOperations,
  ...noteOperations,
  ...reviewOperations,
  ...savedViewOperations,
  ...shareOperations,
  ...deletionOperations,
  ...retentionOperations,
  ...chatOperations,
  ...widgetOperations,
  ...conversationOperations,
  ...conversationExportOperations,
  ...modelHealthOperations,
  ...overviewOperations,
  ...attentionOperations,
  ...recordingOperations,
  ...tagOperations,
  ...agentOperations,
  ...agentDashboardOperations,
  ...historyOperations,
  ...splitOperations,
  ...resultFieldOperations,
  ...draftOperations,
  ...promptOperations,
  ...previewOperations,
  ...simulationOperations,
  ...simulationDashboardOperations,
  ...knowledgeOperations,
  ...knowledgeDashboardOperations,
  ...statusOperations,
  ...webhookOperations,
  ...profileOperations,
  ...workspaceOperations,
  ...memberOperations,
  ...keyOperations,
  ...numberOperations,
  ...integrationOperations,
  ...optOutOperations,
  ...auditOperations,
  ...searchOperations,
];

/** What the service sends by itself; the OpenAPI document reads this list. */
export const webhooks: readonly WebhookDescription[] = [postConversationWebhook];
