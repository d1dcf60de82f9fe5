import { describe, expect, it } from 'vitest';
import seen from './cases/emergencies.json' with { type: 'json' };
import unseen from './cases/emergencies-unseen.json' with { type: 'json' };
import { findEmergency } from './emergencies.ts';

type Case = [language: string, text: string, isEmergency: boolean];

describe('an emergency', () => {
  it.each(seen as Case[])('is told from what is none, %s: %s', (_, text, isEmergency) => {
    expect(findEmergency(text) !== undefined).toBe(isEmergency);
  });

  it('is found in most of what the patterns were not written with', () => {
    const wrong = (unseen as Case[]).filter(
      ([, text, isEmergency]) => (findEmergency(text) !== undefined) !== isEmergency,
    );
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(6);
  });
});
