import { z } from 'zod';
import {
  INTERNATIONAL_NUMBER_PATTERN,
  isTakenByApi,
  PHONE_NUMBER_PATTERN,
  parsePhoneNumber,
} from './phone-number.ts';

/**
 * A number as the API takes it (contract, Limits, and beyond the source): by the pattern, or valid in international form.
 * It stays as it is written: one of the workspace has to be spelled as it is listed.
 */
export const phoneNumberText = z
  .string()
  .refine(isTakenByApi, 'must be a phone number like +15550100001')
  .meta({
    example: '+15550100001',
    anyOf: [
      { type: 'string', pattern: PHONE_NUMBER_PATTERN.source },
      {
        type: 'string',
        pattern: INTERNATIONAL_NUMBER_PATTERN.source,
        description: 'A valid number of any country in international form',
      },
    ],
  });

/** Somebody's number as the API takes it, in E.164 from here on. What begins with 0 lacks its country code. */
export const personNumber = phoneNumberText
  .refine((text) => !/^\+?0/.test(text), 'must have its country code')
  .transform(parsePhoneNumber);

/** A number with its country code, in E.164 from here on. */
export const internationalNumber = z
  .string()
  .regex(INTERNATIONAL_NUMBER_PATTERN, 'must be a phone number with its country code, such as +15550100001')
  .meta({ example: '+15550100001' })
  .transform(parsePhoneNumber);

/** A number however people write it; what it means depends on the workspace's country. */
export const writtenNumber = z
  .string()
  .min(1, 'must not be empty')
  .max(100, 'must be at most 100 characters');
