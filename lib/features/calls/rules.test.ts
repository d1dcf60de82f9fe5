import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { secondsToReserve } from '#lib/features/usage/rules.ts';
import { findPhoneNumber, parsePhoneNumber } from '#lib/phone-number.ts';
import { costOf, hashRequest, shownSeconds, usedSeconds } from './rules.ts';
import { writtenPrompt } from './execution/plan.ts';

const RATES = {
  carrierCentsPerMinute: 1.4,
  speechCentsPerMinute: 0.6,
  languageCentsPer1kInputTokens: 0.025,
  languageCentsPer1kOutputTokens: 0.2,
};
const usage = { inputTokens: 12_000, outputTokens: 900, spokenMs: 45_000 };

describe('the cost of a call', () => {
  it('counts started minutes, spoken time and tokens', () => {
    expect(costOf(RATES, { connected: true, durationMs: 75_000, usage })).toEqual({
      cents: 3.73,
      breakdown: { carrierCents: 2.8, speechCents: 0.45, languageCents: 0.48 },
    });
  });

  it('is nothing when the call never connected, and a minute when it was answered for a moment', () => {
    expect(costOf(RATES, { connected: false, durationMs: 0, usage }).cents).toBe(0);
    expect(
      costOf(RATES, {
        connected: true,
        durationMs: 0,
        usage: { inputTokens: 0, outputTokens: 0, spokenMs: 0 },
      }).cents,
    ).toBe(1.4);
  });
});

describe('durations', () => {
  it('are whole seconds, at least one once somebody answered', () => {
    expect([shownSeconds(true, 200), shownSeconds(true, 12_400), shownSeconds(false, 0)]).toEqual([1, 12, 0]);
  });

  it('never book more of the limit than was held', () => {
    fc.assert(
      fc.property(
        fc.nat(7_200_000),
        fc.integer({ min: 60, max: 7_200 }),
        (durationMs, held) => usedSeconds(true, durationMs, held) <= held,
      ),
    );
    // As the conversation shows it: usage is the sum of what the overview adds up.
    expect([usedSeconds(true, 60_001, 120), usedSeconds(true, 60_501, 120)]).toEqual([60, 61]);
    expect([usedSeconds(true, 200, 60), usedSeconds(false, 0, 60)]).toEqual([1, 0]);
    expect([secondsToReserve(0), secondsToReserve(60), secondsToReserve(61)]).toEqual([60, 60, 120]);
  });
});

it('never takes the number of a transfer from the value of a variable', () => {
  const agent = { inboundPrompt: 'Transfer to {{number}}.' };
  const prompt = { instructions: 'You call {{name}} about {{topic}}.' };
  expect(findPhoneNumber(writtenPrompt({ direction: 'OUTBOUND' }, agent, prompt))).toBeNull();
  expect(findPhoneNumber(writtenPrompt({ direction: 'INBOUND' }, agent, null))).toBeNull();
});

it('takes requests with the same content for the same, in any order, and no others', () => {
  const body = { from: '+15550100001', to: parsePhoneNumber('+15550109900'), variables: { a: '1', b: '2' } };
  expect(hashRequest({ variables: { b: '2', a: '1' }, to: body.to, from: body.from })).toBe(
    hashRequest(body),
  );
  expect(hashRequest({ ...body, variables: { a: '1' } })).not.toBe(hashRequest(body));
  expect(hashRequest({ ...body, outboundPromptId: 'prompt_1' })).not.toBe(hashRequest(body));
});
