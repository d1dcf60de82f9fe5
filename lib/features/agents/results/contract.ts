import { z } from 'zod';
import { enveloped, requiredText } from '#lib/http/schemas.ts';
import { withBase } from '#lib/http/base.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { onAgent } from '../contract.ts';
import { FIELD_TYPES, readResultFilter, RESULT_LIMITS } from './rules.ts';

const fieldName = z
  .string()
  .max(RESULT_LIMITS.name, `must be at most ${RESULT_LIMITS.name} characters`)
  .regex(/^[a-z][a-z0-9_]*$/, 'must be a name like number_of_guests');
const choice = requiredText(RESULT_LIMITS.choice);

/** A field that conversations of an agent shall yield. */
export const resultField = z
  .strictObject({
    name: fieldName,
    type: z.enum(FIELD_TYPES),
    question: requiredText(RESULT_LIMITS.question),
    choices: z
      .array(choice)
      .max(RESULT_LIMITS.choices, `must have at most ${RESULT_LIMITS.choices} entries`)
      .default([]),
  })
  .superRefine(({ type, choices }, context) => {
    const issue = (message: string) => context.addIssue({ code: 'custom', path: ['choices'], message });
    if (type !== 'choice' && choices.length > 0) issue('are of the type choice only');
    if (type === 'choice' && choices.length < 2) issue('must have at least 2 entries');
    if (new Set(choices.map((each) => each.toLowerCase())).size < choices.length)
      issue('must differ from one another');
  })
  .meta({ id: 'NewResultField' });

export const resultFields = z
  .array(resultField)
  .max(RESULT_LIMITS.fields, `must have at most ${RESULT_LIMITS.fields} entries`)
  .superRefine((fields, context) => {
    const seen = new Set<string>();
    fields.forEach(({ name }, index) => {
      if (seen.has(name))
        context.addIssue({ code: 'custom', path: [index, 'name'], message: 'is there twice' });
      seen.add(name);
    });
  });

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();
const speaker = z.enum(['agent', 'human']);

/** What a conversation yielded, as answers and webhooks give it. */
export const resultsByName = z
  .record(
    z.string(),
    z.object({
      type: z.enum(FIELD_TYPES),
      value: value.describe('A text, a number, true or false, or a date like 2026-03-24; null: not known'),
      quotes: z.array(z.object({ speaker, text: z.string() })).describe('The words that the value rests on'),
    }),
  )
  .meta({ id: 'Results' });

/** The same with the question and the turns, as the dashboard shows it. */
export const resultDetail = z.object({
  name: z.string(),
  type: z.enum(FIELD_TYPES),
  question: z.string(),
  value,
  quotes: z.array(z.object({ seq: z.int(), speaker, text: z.string() })),
  dropped: z.string().optional(),
});

/** A field and what its value is compared with (readResultFilter). */
export const resultFilter = z
  .string()
  .max(400)
  .refine((text) => readResultFilter(text) !== undefined, 'must be like guests:number:greater:4');

const shownField = z
  .object({
    name: z.string(),
    type: z.enum(FIELD_TYPES),
    question: z.string(),
    choices: z.array(z.string()).describe('Of the type choice; empty in others'),
  })
  .meta({ id: 'ResultField' });

const shownFields = z
  .object({
    fields: z.array(shownField),
    former: z
      .array(z.object({ name: z.string(), type: z.enum(FIELD_TYPES) }))
      .describe('Names that only earlier conversations have, with their types'),
  })
  .meta({ id: 'ResultFields' });

const onFields = {
  ...onAgent,
  path: '/agents/{agentId}/result-fields',
  response: enveloped(shownFields),
} as const;

export const getResultFields = defineOperation({
  ...onFields,
  id: 'getResultFields',
  method: 'GET',
  role: 'viewer',
  summary: 'Read what the conversations of an agent shall yield',
});

export const putResultFields = defineOperation({
  ...onFields,
  id: 'putResultFields',
  method: 'PUT',
  role: 'member',
  summary: 'Set what the conversations of an agent shall yield',
  description:
    'The list replaces the whole list; calls that end from now on are read by it. What earlier conversations yielded stays as it is. docs/structured-results.md tells more.',
  body: withBase(z.strictObject({ fields: resultFields }).meta({ id: 'NewResultFields' })),
  example: {
    fields: [
      { name: 'guests', type: 'number', question: 'How many guests are expected?' },
      { name: 'size', type: 'choice', question: 'Which table is wanted?', choices: ['small', 'large'] },
    ],
  },
});

export const resultFieldOperations = [getResultFields, putResultFields] as const;
