import { describe, expect, it } from 'vitest';
import { findPhoneNumber, formatPhoneNumber, parsePhoneNumber, searchedDigits } from './phone-number.ts';

describe('phone numbers', () => {
  it.each([
    ['+15550109900', '+15550109900'],
    ['15550109900', '+15550109900'],
    ['5550109900', '+15550109900'],
    ['442071838750', '+442071838750'],
    ['+4402071838750', '+442071838750'],
    ['+5550109900', '+5550109900'],
    ['+99912345678', '+99912345678'],
    ['0123456789', '+10123456789'],
  ])('%s is %s in E.164 form, and stays so', (given, e164) => {
    expect(parsePhoneNumber(given)).toBe(e164);
    expect(parsePhoneNumber(e164)).toBe(e164);
  });

  it('are found in a text by their country code', () => {
    expect(findPhoneNumber('If asked, transfer to +1 (555) 010-0199 between 9 and 17.')).toBe('+15550100199');
    expect(findPhoneNumber('Call +49 30 901820 or ask.')).toBe('+4930901820');
    expect(findPhoneNumber('Room 555-010-0199; the code is +123 and the year 2026-03-02.')).toBeNull();
  });

  it('are grouped for reading as their country does', () => {
    expect(formatPhoneNumber('+15550100001')).toBe('+1 555 010 0001');
    expect(formatPhoneNumber('5550100001')).toBe('+1 555 010 0001');
    expect(formatPhoneNumber('+442071838750')).toBe('+44 20 7183 8750');
    expect(formatPhoneNumber('operator')).toBe('operator');
  });

  it('are searched by their digits, a complete one as it is stored', () => {
    expect(searchedDigits('(018) 8801')).toBe('0188801');
    expect(searchedDigits('+44 (0)20 7183 8750')).toBe('442071838750');
    expect(searchedDigits('12')).toBeNull();
    expect(searchedDigits('room 101')).toBeNull();
  });
});
