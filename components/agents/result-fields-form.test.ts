import { describe, expect, it } from 'vitest';
import { fieldOf, NEW_FIELD, resultFieldsForm, valuesOf } from './result-fields-form.ts';

const GUESTS = { ...NEW_FIELD, name: 'guests', type: 'number', question: 'How many guests?' } as const;

describe('the form of result fields', () => {
  it('says faults at the row and the part that have them', () => {
    const rows = [
      GUESTS,
      { ...GUESTS, name: 'Guests' },
      { ...GUESTS, type: 'choice', choices: 'a', name: 'b' },
    ];
    const issues = resultFieldsForm.safeParse({ fields: rows }).error?.issues ?? [];
    expect(issues.map(({ path }) => path.join('.'))).toEqual(['fields.1.name', 'fields.2.choices']);
  });

  it('reads choices line by line, with their commas, and leaves out those of another type', () => {
    const row = { ...GUESTS, choices: ' Small, round \n\nLarge\n' };
    expect(fieldOf({ ...row, type: 'choice' }).choices).toEqual(['Small, round', 'Large']);
    expect(fieldOf(row).choices).toEqual([]);
  });

  it('gives back the fields that it was filled with', () => {
    const fields = [fieldOf({ ...GUESTS, type: 'choice', choices: 'Small\nLarge' })];
    expect(valuesOf(fields).fields.map(fieldOf)).toEqual(fields);
  });
});
