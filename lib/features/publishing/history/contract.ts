import { z } from 'zod';
import { versionAuthor, versionChange } from '#lib/features/versions/contract.ts';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, optionalQueryInteger, pathId, queryInteger, timestamp } from '#lib/http/schemas.ts';

const tag = 'Agents';

const versionSummary = z.object({
  id: z.string(),
  number: z.int().nullable().describe('null: a draft that was talked to'),
  createdAt: timestamp,
  author: versionAuthor,
  changes: z.array(versionChange).describe('What differs from the version before'),
  restoredNumber: z.int().nullable(),
  isPublished: z.boolean().describe('Whether it is what the agent is now'),
  isShareOnly: z.boolean().describe('It was published for a share of the conversations, and never for all'),
});
export type VersionSummary = z.output<typeof versionSummary>;

/** Fields by their names, as the API has them; dates are ISO 8601. */
const settings = z.record(z.string(), z.unknown());

const versionDetail = versionSummary.extend({
  agentId: z.string(),
  agentName: z.string().describe('As it is called now'),
  isAgentDeleted: z.boolean(),
  agent: settings,
  outboundPrompts: z.array(z.object({ id: z.string(), title: z.string(), fields: settings })),
});
export type VersionDetail = z.output<typeof versionDetail>;

const versionPage = z.object({
  versions: z.array(versionSummary),
  nextBefore: z.int().nullable().describe('`before` of the next page; null on the last one'),
});
export type VersionPage = z.output<typeof versionPage>;

export const listAgentVersions = defineOperation({
  id: 'listAgentVersions',
  method: 'GET',
  path: '/dashboard/agents/{agentId}/versions',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'Every saved change of an agent and its outbound prompts, the latest first',
  params: z.object({ agentId: pathId }),
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 30 }),
    before: optionalQueryInteger({ min: 1, max: 2_147_483_647 }).describe(
      'Only versions with smaller numbers',
    ),
  }),
  response: enveloped(versionPage),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const getAgentVersion = defineOperation({
  id: 'getAgentVersion',
  method: 'GET',
  path: '/dashboard/versions/{versionId}',
  scope: 'member',
  role: 'viewer',
  tag,
  summary: 'Read a version with all of its texts and settings',
  params: z.object({ versionId: pathId }),
  response: enveloped(versionDetail),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const restoreAgentVersion = defineOperation({
  id: 'restoreAgentVersion',
  method: 'POST',
  path: '/dashboard/agents/{agentId}/versions/{versionId}/restore',
  scope: 'member',
  role: 'member',
  tag,
  summary: 'Make an agent and its outbound prompts what they were in a version; that is a new version',
  params: z.object({ agentId: pathId, versionId: pathId }),
  response: enveloped(versionSummary),
  status: 200,
  errors: LOOK_UP_ERRORS,
});

export const historyOperations = [listAgentVersions, getAgentVersion, restoreAgentVersion] as const;
