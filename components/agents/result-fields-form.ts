import { z } from 'zod';
import { resultFields } from '#lib/features/agents/results/contract.ts';
import { FIELD_TYPES, type FieldType, type ResultField } from '#lib/features/agents/results/rules.ts';

export const TYPE_WORDS: Record<FieldType, string> = {
  text: 'Text',
  number: 'Number',
  yes_no: 'Yes or no',
  date: 'Date',
  choice: 'One of several',
};

const row = z.object({
  name: z.string(),
  type: z.enum(FIELD_TYPES),
  question: z.string(),
  /** One a line. */
  choices: z.string(),
});
type Row = z.output<typeof row>;

/** The fields as they are edited, checked as the operation checks them. */
export const resultFieldsForm = z.object({ fields: z.array(row) }).superRefine(({ fields }, context) => {
  for (const issue of resultFields.safeParse(fields.map(fieldOf)).error?.issues ?? []) {
    const [index, field] = issue.path;
    const path = index === undefined ? ['fields'] : ['fields', index, field ?? 'name'];
    context.addIssue({ code: 'custom', path, message: issue.message });
  }
});
export type ResultFieldsValues = z.output<typeof resultFieldsForm>;

export const NEW_FIELD: Row = { name: '', type: 'text', question: '', choices: '' };

export function valuesOf(fields: readonly ResultField[]): ResultFieldsValues {
  return { fields: fields.map((field) => ({ ...field, choices: field.choices.join('\n') })) };
}

/** The field that a row describes; choices that were written for another type are left out. */
export function fieldOf({ name, type, question, choices }: Row): ResultField {
  const lines = choices.split('\n').flatMap((line) => line.trim() || []);
  return { name: name.trim(), type, question, choices: type === 'choice' ? lines : [] };
}
