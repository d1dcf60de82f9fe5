import { expect, it } from 'vitest';
import { type CheckContext, checkPerson, markDuplicates } from './rules.ts';

const CONTEXT: CheckContext = {
  from: '+15550100001',
  country: { code: 'US', isGuessed: false },
  numberColumn: 'Phone',
  missingFor: (variables) => (variables.name ? [] : ['name']),
  columnOf: (variable) => `Column of ${variable}`,
};
const check = (line: number, number: string, variables: Record<string, string> = { name: 'Ann' }) =>
  checkPerson({ line, number, variables }, CONTEXT);

it('names the column of a fault', () => {
  expect(check(2, 'nobody')).toMatchObject({ state: 'faulty', faultColumn: 'Phone', number: null });
  expect(check(3, '+15550109900', {})).toMatchObject({
    state: 'faulty',
    fault: 'The opening cannot be said without {{name}}.',
    faultColumn: 'Column of name',
  });
  expect(check(4, '+15550100001').fault).toBe('It is the number that calls.');
  expect(check(5, '+15550109900', { name: 'x'.repeat(10_001) }).fault).toBe(
    'The text has more than 10,000 characters.',
  );
});

it('has a guess wait, with what it was read as and the column', () => {
  expect(check(2, '1 664 491 2345')).toMatchObject({ state: 'pending', number: '+16644912345' });
  expect(check(3, '442071838750')).toMatchObject({
    state: 'guess',
    number: '+442071838750',
    fault: 'It has no + before the country code.',
    faultColumn: 'Phone',
  });
  const guessed = { ...CONTEXT, country: { code: 'US', isGuessed: true } };
  expect(checkPerson({ line: 4, number: '555 010 9900', variables: { name: 'Ann' } }, guessed)).toMatchObject(
    {
      state: 'guess',
      number: '+15550109900',
    },
  );
});

it('calls the first line of a number that can be called, however the others are written', () => {
  const people = [
    check(2, '555 010 9900', {}),
    check(3, '(555) 010-9900'),
    check(4, '+15550109900'),
    check(5, '+15550109901'),
  ];
  expect(markDuplicates(people, new Map()).map(({ state, fault }) => [state, fault])).toEqual([
    ['faulty', 'The opening cannot be said without {{name}}.'],
    ['pending', null],
    ['duplicate', 'The same number stands in line 3.'],
    ['pending', null],
  ]);
});
