import { z } from 'zod';
import { callingHours } from '#lib/features/workspaces/contract.ts';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, moment, pathId, queryInteger, requiredText, text, timestamp } from '#lib/http/schemas.ts';
import { phoneNumberText } from '#lib/phone-number-schemas.ts';
import { CAMPAIGN_LIMITS, CAMPAIGN_STATES } from './rules.ts';

const counts = z
  .object({
    people: z.int().describe('Lines of the list'),
    callable: z.int().describe('Those that the check found nothing wrong with'),
    placed: z.int().describe('Those for whom a call was placed'),
    refused: z.int().describe('Those for whom none could be placed when their turn came'),
  })
  .meta({ id: 'CampaignCounts' });

const progress = z
  .object({
    pending: z.int().describe('Not called yet'),
    calling: z.int().describe('Being called, or waiting for another attempt'),
    called: z.int().describe('Their last call is over'),
    refused: z.int(),
    cancelled: z.int(),
    faulty: z.int(),
    duplicate: z.int(),
    guessed: z
      .int()
      .describe('Their number may be another one than was meant: not called before that is confirmed'),
    optedOut: z.int(),
    outcomes: z
      .record(z.string(), z.int())
      .describe('Of those called: how many of their last calls ended with each disposition'),
  })
  .meta({ id: 'CampaignProgress' });

const settings = {
  name: requiredText(CAMPAIGN_LIMITS.name),
  callsPerMinute: z
    .int()
    .min(1)
    .max(CAMPAIGN_LIMITS.maxCallsPerMinute)
    .describe('How many calls are placed a minute at most; the limits of workspace and number hold besides'),
  startAt: moment
    .nullable()
    .describe('Nobody is called before it; null: at once. ISO 8601 with a zone, and not in the past'),
  callingHours: callingHours
    .nullable()
    .describe("By the clock of the person called, within the workspace's hours; null: the workspace's hours"),
};

export const campaign = z
  .object({
    id: z.string(),
    name: z.string(),
    state: z.enum(CAMPAIGN_STATES),
    from: z.string(),
    agentId: z.string(),
    outboundPromptId: z.string(),
    callsPerMinute: z.int(),
    startAt: timestamp.nullable(),
    callingHours: callingHours.nullable(),
    counts,
    pauseReason: z
      .string()
      .nullable()
      .describe('Why the service paused it by itself; null where a person did'),
    createdBy: z.string(),
    createdAt: timestamp,
    startedAt: timestamp.nullable(),
    endedAt: timestamp.nullable(),
  })
  .meta({ id: 'Campaign' });
export type Campaign = z.output<typeof campaign>;

export const campaignDetail = campaign
  .extend({ progress, variableNames: z.array(z.string()) })
  .meta({ id: 'CampaignDetail' });
export type CampaignDetail = z.output<typeof campaignDetail>;

const person = z.strictObject({
  number: text(100).describe(
    "However it is written; without a country code it is one of the workspace's country, or where that is no setting, of the country of `from` as a guess",
  ),
  variables: z.record(z.string().min(1).max(200), text(10_000)).optional(),
});

/** What a campaign is made of, besides its people. */
export const newCampaign = z.strictObject({
  name: settings.name,
  from: phoneNumberText.describe("The agent's number, exactly as the workspace lists it"),
  outboundPromptId: z.string().min(1).max(500).optional().describe("Defaults to the agent's first one"),
  callsPerMinute: settings.callsPerMinute.optional(),
  startAt: settings.startAt.optional(),
  callingHours: settings.callingHours.optional(),
});

export const campaignParams = z.object({ campaignId: pathId });
export const campaignShared = { scope: 'workspace', tag: 'Campaigns', status: 200 } as const;

export const createCampaign = defineOperation({
  ...campaignShared,
  id: 'createCampaign',
  method: 'POST',
  path: '/campaigns',
  role: 'member',
  summary: 'Make a campaign of a list of people',
  description:
    'Every person is checked before the answer; those with a fault are never called, and those whose number is a guess (written without its country code, or on no numbering plan) not before that is confirmed; `GET /campaigns/{campaignId}/people` lists them. Nobody is called before the campaign is started: by `POST /campaigns/{campaignId}/start`, or at once with `start`.',
  headers: z.object({
    'idempotency-key': z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('A repeat with the same key gets the first campaign and calls nobody twice'),
  }),
  maxBodyBytes: 8 * 1024 * 1024,
  // 20,000 people with seventeen variables each.
  maxBodyValues: 400_000,
  body: newCampaign
    .extend({
      people: z.array(person).min(1, 'must not be empty').max(CAMPAIGN_LIMITS.people),
      start: z.boolean().optional().describe('Start it when it is checked; false where it is left out'),
      confirmGuesses: z
        .boolean()
        .optional()
        .describe('Call numbers that are only guesses as they were read; false where it is left out'),
    })
    .meta({ id: 'NewCampaign' }),
  example: {
    name: 'Check-ups in March',
    from: '+15550100001',
    people: [{ number: '+15550109900', variables: { name: 'Alex' } }],
  },
  response: enveloped(campaignDetail),
  status: 201,
  errors: [
    ...LOOK_UP_ERRORS,
    'AGENT_INACTIVE',
    'NO_OUTBOUND_PROMPT',
    'INVALID_STATE',
    'IDEMPOTENCY_KEY_REUSED',
    'NOT_READY',
  ],
});

export const listCampaigns = defineOperation({
  ...campaignShared,
  id: 'listCampaigns',
  method: 'GET',
  path: '/campaigns',
  role: 'viewer',
  summary: 'List campaigns, the latest first',
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    cursor: z
      .string()
      .regex(/^\d{1,14}\.\w{1,100}$/, 'must be the nextCursor of the page before')
      .optional(),
  }),
  response: enveloped(z.object({ campaigns: z.array(campaign), nextCursor: z.string().nullable() })),
  errors: [],
});

export const getCampaign = defineOperation({
  ...campaignShared,
  id: 'getCampaign',
  method: 'GET',
  path: '/campaigns/{campaignId}',
  role: 'viewer',
  summary: 'Read a campaign with its progress',
  params: campaignParams,
  response: enveloped(campaignDetail),
  errors: LOOK_UP_ERRORS,
});

export const updateCampaign = defineOperation({
  ...campaignShared,
  id: 'updateCampaign',
  method: 'PUT',
  path: '/campaigns/{campaignId}',
  role: 'member',
  summary: 'Change name, schedule, hours or rate of a campaign that is not over',
  params: campaignParams,
  body: withBase(z.strictObject(settings).partial().meta({ id: 'CampaignSettings' })),
  example: { callsPerMinute: 20 },
  response: enveloped(campaignDetail),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

export const deleteCampaign = defineOperation({
  ...campaignShared,
  id: 'deleteCampaign',
  method: 'DELETE',
  path: '/campaigns/{campaignId}',
  role: 'member',
  summary: 'Delete a campaign that does not run, with its list; its conversations stay',
  params: campaignParams,
  response: enveloped(z.null()),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

const moveErrors = [...LOOK_UP_ERRORS, 'INVALID_STATE'] as const;

export const confirmCampaignGuesses = defineOperation({
  ...campaignShared,
  id: 'confirmCampaignGuesses',
  method: 'POST',
  path: '/campaigns/{campaignId}/confirm-guesses',
  role: 'member',
  summary: 'Call the numbers of the list that are only guesses, as they were read',
  description:
    'They are listed with the status `guess`, each with its reason. A campaign that is over stays as it is.',
  params: campaignParams,
  response: enveloped(campaignDetail),
  errors: moveErrors,
});

export const startCampaign = defineOperation({
  ...campaignShared,
  id: 'startCampaign',
  method: 'POST',
  path: '/campaigns/{campaignId}/start',
  role: 'member',
  summary: 'Start a campaign whose list was checked',
  params: campaignParams,
  response: enveloped(campaignDetail),
  errors: moveErrors,
});

export const pauseCampaign = defineOperation({
  ...campaignShared,
  id: 'pauseCampaign',
  method: 'POST',
  path: '/campaigns/{campaignId}/pause',
  role: 'member',
  summary: 'Call nobody else until it is resumed',
  description: 'Calls that are being dialled or held go on; those that wait are not dialled.',
  params: campaignParams,
  response: enveloped(campaignDetail),
  errors: moveErrors,
});

export const resumeCampaign = defineOperation({
  ...campaignShared,
  id: 'resumeCampaign',
  method: 'POST',
  path: '/campaigns/{campaignId}/resume',
  role: 'member',
  summary: 'Go on with a paused campaign',
  params: campaignParams,
  response: enveloped(campaignDetail),
  errors: moveErrors,
});

export const cancelCampaign = defineOperation({
  ...campaignShared,
  id: 'cancelCampaign',
  method: 'POST',
  path: '/campaigns/{campaignId}/cancel',
  role: 'member',
  summary: 'End a campaign for good',
  description: 'Calls that wait end undialled; those that are being dialled or held go on to their end.',
  params: campaignParams,
  response: enveloped(campaignDetail),
  errors: moveErrors,
});

export const campaignOperations = [
  createCampaign,
  listCampaigns,
  getCampaign,
  updateCampaign,
  deleteCampaign,
  confirmCampaignGuesses,
  startCampaign,
  pauseCampaign,
  resumeCampaign,
  cancelCampaign,
] as const;
