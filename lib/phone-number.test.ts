import { describe, expect, it } from 'vitest';
import { getCountries } from 'libphonenumber-js/min';
import { COUNTRIES } from './countries.ts';
import {
  findPhoneNumber,
  formatPhoneNumber,
  guessCountry,
  isTakenByApi,
  parsePhoneNumber,
  readPhoneNumber,
  searchedDigits,
} from './phone-number.ts';

const read = (text: string, code: string | null = 'US', isGuessed = false) =>
  readPhoneNumber(text, code === null ? null : { code, isGuessed });
/** The number where it is certain, else what is said of it. */
const certainOf = (text: string, code?: string | null, isGuessed?: boolean) => {
  const reading = read(text, code, isGuessed);
  return reading.ok ? (reading.guess ?? reading.number) : reading.fault;
};

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

describe('the API', () => {
  it.each([
    '+436641234501',
    '+491701234567',
    '+447911123456',
    '+8613800138000',
    '+5511912345678',
    '+2348031234567',
    '+971501234567',
    '+6581234567',
    '+4312345',
    '+15550100001',
    '15550100001',
    '5550100001',
    '+5550109900',
  ])('takes %s', (text) => expect(isTakenByApi(text)).toBe(true));

  it.each([
    '+1 555 123 4567',
    '123456789',
    '+123456789',
    '436641234501',
    '00436641234501',
    '+43664123450100000',
    '+999123456789',
    '+43 6641234501',
    'anonymous',
    '',
    '+',
    '+1555010000１',
  ])('refuses %s', (text) => expect(isTakenByApi(text)).toBe(false));
});

describe('a number as people write it', () => {
  it.each([
    ['AT', '0664 1234501', '+436641234501'],
    ['AT', '06641234501', '+436641234501'],
    ['AT', '01 5123456', '+4315123456'],
    ['AT', '+43 (0)664 1234501', '+436641234501'],
    ['AT', '(+43) 664/1234501', '+436641234501'],
    ['DE', '0170 1234567', '+491701234567'],
    ['DE', '030 / 90 18 20', '+4930901820'],
    ['DE', '0043 664 1234501', '+436641234501'],
    ['GB', '07911 123456', '+447911123456'],
    ['GB', '(020) 7183 8750', '+442071838750'],
    ['FR', '06 12 34 56 78', '+33612345678'],
    ['FR', '01.42.68.53.00', '+33142685300'],
    ['IT', '06 6982 1234', '+390669821234'],
    ['IT', '347 123 4567', '+393471234567'],
    ['ES', '612 34 56 78', '+34612345678'],
    ['ES', '913 12 34 56', '+34913123456'],
    ['CH', '044 668 18 00', '+41446681800'],
    ['HU', '06 20 123 4567', '+36201234567'],
    ['RU', '8 (912) 345-67-89', '+79123456789'],
    ['BR', '(11) 91234-5678', '+5511912345678'],
    ['BR', '011 91234-5678', '+5511912345678'],
    ['AR', '011 15-2345-6789', '+5491123456789'],
    ['MX', '55 1234 5678', '+525512345678'],
    ['IN', '98765 43210', '+919876543210'],
    ['IN', '098765 43210', '+919876543210'],
    ['JP', '090-1234-5678', '+819012345678'],
    ['JP', '03-1234-5678', '+81312345678'],
    ['JP', '010 86 138 0013 8000', '+8613800138000'],
    ['CN', '138 0013 8000', '+8613800138000'],
    ['CN', '021 6123 4567', '+862161234567'],
    ['AU', '0412 345 678', '+61412345678'],
    ['AU', '(02) 9876 5432', '+61298765432'],
    ['NG', '0803 123 4567', '+2348031234567'],
    ['AE', '050 123 4567', '+971501234567'],
    ['AE', '٠٥٠ ١٢٣ ٤٥٦٧', '+971501234567'],
    ['SG', '8123 4567', '+6581234567'],
    ['US', '(212) 555-0123', '+12125550123'],
    ['US', '1-212-555-0123', '+12125550123'],
    ['US', '011 44 20 7183 8750', '+442071838750'],
    ['US', '(555) 010-9900', '+15550109900'],
    ['US', '555.010.9900', '+15550109900'],
    ['US', "'+15550109900", '+15550109900'],
    ['US', 'tel:+1-555-010-9900', '+15550109900'],
    ['US', '\u202A+1 555 010 9900\u202C', '+15550109900'],
    ['US', '+1\u00A0555\u2011010\u20119900', '+15550109900'],
    ['US', '5550109900.0', '+15550109900'],
    ['US', '＋１ 555 010 9900', '+15550109900'],
    ['US', '+44 (0)20 7183 8750', '+442071838750'],
  ])('in %s is read: %s', (country, text, number) => {
    expect(certainOf(text, country)).toBe(number);
  });

  it.each([
    ['12345', 'AT', '+4312345', 'In this country, Austria, it is written 01 2345.'],
    ['5123456', 'AT', '+435123456', 'In this country, Austria, it is written 0512 3456.'],
    ['1701234567', 'DE', '+491701234567', 'In this country, Germany, it is written 0170 1234567.'],
    ['901820', 'DE', '+49901820', 'Its area code may be missing.'],
    ['491701234567', 'DE', '+491701234567', 'It has no + before the country code.'],
    ['6641234503', 'AT', '+436641234503', 'In this country, Austria, it is written 0664 1234503.'],
    ['442071838750', 'US', '+442071838750', 'It has no + before the country code.'],
    ['+5550109900', 'US', '+5550109900', 'It is on no numbering plan.'],
    ['212 055 0123', 'US', '+12120550123', 'It is on no numbering plan.'],
    ['5550109900', null, '+15550109900', 'It has no + and no country code.'],
  ])('%s in %s is a guess, which says why', (text, country, number, guess) => {
    expect(read(text, country)).toEqual({ ok: true, number, guess });
  });

  it('is a guess where the country is one, unless it names its own', () => {
    expect(certainOf('0664 1234501', 'AT', true)).toBe(
      'It has no country code; its country, Austria, is a guess.',
    );
    expect(certainOf('0043 664 1234501', 'AT', true)).toBe('+436641234501');
  });

  it.each([
    ['', 'US', 'There is no number.'],
    [
      '5.55011E+11',
      'US',
      'A spreadsheet shortened the number; write its column as text and save the file again.',
    ],
    ['+1 555 010 9900 ext. 12', 'US', 'It has an extension, which cannot be dialled.'],
    ['1-800-FLOWERS', 'US', 'It has letters, so it is no phone number.'],
    ['+1 555 010 9900; +1 555 010 9901', 'US', 'It has characters that no phone number has.'],
    ['=HYPERLINK("x")', 'US', 'It has letters, so it is no phone number.'],
    ['+12', 'US', 'It has too few or too many digits for a phone number.'],
    ['1'.repeat(5000), 'US', 'It has more digits than a phone number.'],
    ['+06641234501', 'AT', 'No country code begins with 0.'],
    [
      '06641234501',
      null,
      'It has no country code. Write it with + and the country code, or choose the country in the workspace settings.',
    ],
    [
      '06641234501',
      'US',
      'It is no phone number of this country: United States. One of another country needs + and its country code.',
    ],
    ['112', 'AT', 'It has too few or too many digits for a phone number.'],
    [
      '0664',
      'AT',
      'It is no phone number of this country: Austria. One of another country needs + and its country code.',
    ],
  ])('that is none says why: %s in %s', (text, country, fault) => {
    expect(read(text, country)).toEqual({ ok: false, fault });
  });

  it('has the country of most numbers that somebody has, and only then of fictitious ones', () => {
    expect(guessCountry(['+15550100001', '+15550100002', '+436641234501'])).toBe('AT');
    expect(guessCountry(['+4930901820', '+436641234501', '+4315123456'])).toBe('AT');
    expect(guessCountry(['+15550100001'])).toBe('US');
    expect(guessCountry(['+80012345678', 'operator'])).toBeUndefined();
    expect(guessCountry([])).toBeUndefined();
  });

  it('is of a country that a workspace can choose', () => {
    expect(COUNTRIES).toEqual(getCountries());
  });

  it('is found as its country writes it', () => {
    expect('436641234501').toContain(searchedDigits('0664 123 45 01'));
    expect('390669821234').toContain(searchedDigits('06 6982 1234'));
  });
});
