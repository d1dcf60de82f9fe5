import { describe, expect, it } from 'vitest';
import { withNames, withNamesInText } from './card-names.ts';
import { findNames } from './card-rules.ts';
import seen from './cases/names.json' with { type: 'json' };
import unseen from './cases/names-unseen.json' with { type: 'json' };

type Case = [prompt: string, personaName: string | null, businessName: string | null];

const namesOf = (prompt: string) => {
  const { personaName, businessName } = findNames(prompt);
  return { personaName, businessName };
};

describe('the names in a prompt', () => {
  it.each(seen as Case[])('%s', (prompt, personaName, businessName) => {
    expect(namesOf(prompt)).toEqual({ personaName, businessName });
  });

  it('stay whole where a name that was cut short is corrected', () => {
    const cut = { personaName: 'Mia', businessName: 'Praxis Dr' };
    const right = { personaName: 'Mia', businessName: 'Praxis Dr. Lind' };
    const line = 'Willkommen! Praxis Dr. Lind, Mia am Apparat.';
    expect(withNames(line, cut, right)).toBe(line);
    expect(withNamesInText('Praxis Dr. Lind is closed. Praxis Dr opens.', cut, right)).toBe(
      'Praxis Dr. Lind is closed. Praxis Dr. Lind opens.',
    );
  });

  it('are found in most prompts that the patterns were not written with', () => {
    const wrong = (unseen as Case[]).filter(([prompt, personaName, businessName]) => {
      const found = namesOf(prompt);
      return found.personaName !== personaName || found.businessName !== businessName;
    });
    expect(wrong.length, JSON.stringify(wrong)).toBeLessThanOrEqual(3);
  });
});
