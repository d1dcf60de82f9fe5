import { describe, expect, it } from 'vitest';
import { callingCodeOf, type CheckContext, checkPerson, markDuplicates, readNumber } from './rules.ts';

const numberOf = (given: string, callingCode = '1') => {
  const read = readNumber(given, callingCode);
  return read.ok ? read.number : read.fault;
};

describe('a number of a list', () => {
  it.each([
    ['+1 555 010 9900', '+15550109900'],
    ['(555) 010-9900', '+15550109900'],
    ['555.010.9900', '+15550109900'],
    ['1-555-010-9900', '+15550109900'],
    ["'+15550109900", '+15550109900'],
    ['tel:+1-555-010-9900', '+15550109900'],
    ['\u202A+1 555 010 9900\u202C', '+15550109900'],
    ['+1\u00A0555\u2011010\u20119900', '+15550109900'],
    ['5550109900.0', '+15550109900'],
    ['0044 20 7183 8750', '+442071838750'],
    ['+44 (0)20 7183 8750', '+442071838750'],
  ])('is read however it is written: %s', (given, number) => {
    expect(numberOf(given)).toBe(number);
  });

  it('has the country of the number that calls where it names none', () => {
    expect(callingCodeOf('+4930901820')).toBe('49');
    expect(numberOf('030 901820', '49')).toBe('+4930901820');
    expect(numberOf('0151 23456789', '49')).toBe('+4915123456789');
  });

  it.each([
    ['', 'There is no number.'],
    ['5.55011E+11', 'A spreadsheet shortened the number; write its column as text and save the file again.'],
    ['+1 555 010 9900 ext. 12', 'It has an extension, which cannot be dialled.'],
    ['1-800-FLOWERS', 'It has letters, so it is no phone number.'],
    ['+1 555 010 9900; +1 555 010 9901', 'It has characters that no phone number has.'],
    ['=HYPERLINK("x")', 'It has letters, so it is no phone number.'],
    ['12', 'It has too few or too many digits for a phone number.'],
    ['1'.repeat(5000), 'It has more digits than a phone number.'],
  ])('that is none says why in one sentence: %s', (given, fault) => {
    expect(numberOf(given)).toBe(fault);
  });
});

const CONTEXT: CheckContext = {
  from: '+15550100001',
  callingCode: '1',
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
