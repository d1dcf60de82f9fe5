import { describe, expect, it } from 'vitest';
import emergencies from './cases/emergencies.json' with { type: 'json' };
import { talk } from './testing-talk.ts';

const PLAN = {
  direction: 'INBOUND',
  prompt: {
    opening: 'Hello, how can I help you?',
    body: 'You answer for Lind Dental and book appointments.',
  },
  card: { scope: null },
  disabledToolNames: ['transfer_call'],
} as const;

describe('somebody in pain or danger', () => {
  it.each(emergencies.map(({ says }) => [says.join(' / '), says] as const))(
    'hears nothing cheerful, then or later: %s',
    async (_, says) => {
      const { answers, topics } = await talk(says, {
        plan: { ...PLAN, disabledToolNames: [...PLAN.disabledToolNames] },
      });
      const told = answers.slice(says[0] === 'Good morning.' ? 1 : 0);
      for (const answer of told)
        expect(answer).not.toMatch(/lovely|wonderful|perfect|great\b|glad|no problem|look forward/i);
      expect(told[0]).toMatch(/sorry|emergency/i);
      for (const topic of topics.filter((each) => each !== undefined))
        expect(topic).toContain(says[says[0] === 'Good morning.' ? 1 : 0]?.replace(/^Could .*\? /, ''));
    },
  );
});
