import { z } from 'zod';
import { defineOperation, LONG_TEXT_BYTES } from '#lib/http/operation.ts';
import { enveloped, queryInteger, timestamp, trimmedText } from '#lib/http/schemas.ts';
import { writtenNumber } from '#lib/phone-number-schemas.ts';
import { CURSOR_PATTERN, OPT_OUT_LIMITS, OPT_OUT_SOURCES } from './rules.ts';

const number = writtenNumber
  .describe("However it is written; without a country code it is one of the workspace's country")
  .meta({ example: '+15550109900' });

export const optOut = z
  .object({
    number: z.string().describe('In E.164 form'),
    source: z
      .enum(OPT_OUT_SOURCES)
      .describe('`call`: the person asked for it on a call; `person`: by hand; `api`: with a key'),
    addedBy: z.string().describe('E-mail address, name of the key, or the part of the service'),
    conversationId: z.string().nullable().describe('The conversation in which the person asked for it'),
    note: z.string().nullable(),
    createdAt: timestamp,
  })
  .meta({ id: 'OptOut' });
export type OptOut = z.output<typeof optOut>;

const page = z.object({
  optOuts: z.array(optOut),
  nextCursor: z.string().nullable().describe('`cursor` of the next page; null on the last one'),
});
export type OptOutPage = z.output<typeof page>;

export const listOptOuts = defineOperation({
  id: 'listOptOuts',
  method: 'GET',
  path: '/opt-outs',
  scope: 'workspace',
  role: 'viewer',
  tag: 'Opt-outs',
  summary: 'List the numbers that are not called again, the latest first',
  query: z.object({
    limit: queryInteger({ min: 1, max: 100, default: 50 }),
    cursor: z
      .string()
      .regex(CURSOR_PATTERN, 'must be the nextCursor of the page before')
      .optional()
      .describe('nextCursor of the page before'),
    search: z.string().max(100).optional().describe('Part of a number, or words of the note'),
  }),
  response: enveloped(page),
  status: 200,
  errors: [],
});

/** A number and why, as the API and the provision file take it. */
export const newOptOut = z.strictObject({
  number,
  note: trimmedText(OPT_OUT_LIMITS.note).nullable().optional(),
});

export const addOptOut = defineOperation({
  id: 'addOptOut',
  method: 'POST',
  path: '/opt-outs',
  scope: 'workspace',
  role: 'member',
  tag: 'Opt-outs',
  summary: 'Never call a number again',
  description:
    'Outbound calls to it are refused from then on, and those that wait end undialled. A number that is on the list stays as it is. The answer has the number as it was read.',
  body: newOptOut.meta({ id: 'NewOptOut' }),
  example: { number: '+15550109900', note: 'Asked by letter' },
  response: enveloped(optOut),
  status: 201,
  errors: [],
});

export const removeOptOut = defineOperation({
  id: 'removeOptOut',
  method: 'DELETE',
  path: '/opt-outs/{number}',
  scope: 'workspace',
  role: 'admin',
  tag: 'Opt-outs',
  summary: 'Allow calls to a number again',
  params: z.object({ number }),
  response: enveloped(z.null()),
  status: 200,
  errors: ['NOT_FOUND'],
});

export const importOptOuts = defineOperation({
  id: 'importOptOuts',
  method: 'POST',
  path: '/dashboard/opt-outs/import',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Add the numbers of a pasted list',
  maxBodyBytes: LONG_TEXT_BYTES,
  body: z.strictObject({
    text: z.string().min(1, 'must not be empty').max(320_000, 'must be at most 320,000 characters'),
    note: trimmedText(OPT_OUT_LIMITS.note).nullable().optional(),
  }),
  response: enveloped(
    z.object({
      addedCount: z.int(),
      knownCount: z.int().describe('Numbers that were on the list'),
      unreadableCount: z.int(),
      unreadable: z.array(z.string()).describe('The first pieces that are no numbers'),
    }),
  ),
  status: 200,
});

export const exportOptOuts = defineOperation({
  id: 'exportOptOuts',
  method: 'GET',
  path: '/dashboard/opt-outs/export',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'The whole list as CSV',
  produces: 'text/csv',
  status: 200,
});

export const optOutOperations = [listOptOuts, addOptOut, removeOptOut, importOptOuts, exportOptOuts] as const;
