import { z } from 'zod';
import { putChatPrompt, putInboundPrompt } from '#lib/features/agents/contract.ts';
import { getAgentDetail, updateAgent } from '#lib/features/agents/dashboard/contract.ts';
import { agentSettingsSchema } from '#lib/features/agents/settings/contract.ts';
import {
  agentParams,
  createOutboundPrompt,
  putOutboundPrompt,
  updateOutboundPrompt,
} from '#lib/features/prompts/contract.ts';
import { onBase } from '#lib/http/base.ts';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId } from '#lib/http/schemas.ts';

const onDraft = {
  scope: 'member',
  role: 'member',
  tag: 'Agents',
  params: agentParams,
  status: 200,
  errors: LOOK_UP_ERRORS,
} as const;

/** One saved form of the editor, with the body of the operation that would publish it. */
const draftEdit = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('inbound_prompt'), body: putInboundPrompt.body.omit({ base: true }) }),
  z.object({ kind: z.literal('chat_prompt'), body: putChatPrompt.body.omit({ base: true }) }),
  z.object({ kind: z.literal('settings'), body: agentSettingsSchema }),
  // Whether an agent is active is no part of a draft.
  z.object({ kind: z.literal('agent'), body: updateAgent.body.omit({ isActive: true, base: true }) }),
  z.object({ kind: z.literal('derive_card') }),
  z.object({
    kind: z.literal('prompt'),
    promptId: pathId,
    body: putOutboundPrompt.body.omit({ base: true }),
  }),
  z.object({
    kind: z.literal('prompt_own'),
    promptId: pathId,
    body: updateOutboundPrompt.body.omit({ base: true }),
  }),
  z.object({ kind: z.literal('derive_prompt_card'), promptId: pathId }),
  z.object({ kind: z.literal('new_prompt'), body: createOutboundPrompt.body }),
  z.object({ kind: z.literal('remove_prompt'), promptId: pathId }),
]);
export type DraftEdit = z.output<typeof draftEdit>;

const editedAgent = getAgentDetail.response;

export const editAgentDraft = defineOperation({
  ...onDraft,
  id: 'editAgentDraft',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/draft',
  summary: 'Save a change of an agent or its outbound prompts into its draft, which calls do not see',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: draftEdit.and(onBase),
  response: enveloped(
    z.object({ promptId: z.string().nullable().describe('Of a prompt that was changed or made') }),
  ),
  errors: [...LOOK_UP_ERRORS, 'SINGLE_PROMPT_ACTIVE'],
});

export const getDraftPublishing = defineOperation({
  ...onDraft,
  id: 'getDraftPublishing',
  method: 'GET',
  path: '/dashboard/agents/{agentId}/draft/publish',
  role: 'viewer',
  summary: 'What publishing the draft of an agent asks to be looked at before',
  response: enveloped(
    z.object({
      notJudged: z
        .array(z.string())
        .describe('Scenarios that simulations of the draft did not judge as a whole'),
      confirmation: z
        .string()
        .describe(
          'Goes with publishing, in `x-confirmation`, once somebody looked at them; good for just these',
        ),
    }),
  ),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});
export type DraftPublishing = z.output<typeof getDraftPublishing.response>['data'];

export const publishAgentDraft = defineOperation({
  ...onDraft,
  id: 'publishAgentDraft',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/draft/publish',
  summary: 'Make an agent what its draft says; that is a new version',
  response: editedAgent,
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE', 'CONFIRMATION_REQUIRED'],
});

export const discardAgentDraft = defineOperation({
  ...onDraft,
  id: 'discardAgentDraft',
  method: 'DELETE',
  path: '/dashboard/agents/{agentId}/draft',
  summary: 'Drop the draft of an agent',
  response: editedAgent,
});

export const draftOperations = [
  editAgentDraft,
  getDraftPublishing,
  publishAgentDraft,
  discardAgentDraft,
] as const;
