import { describe, expect, it } from 'vitest';
import { createLogger } from '#lib/log.ts';
import { analyzeCall } from './analyze.ts';
import cases from './cases/bookings.json' with { type: 'json' };
import { call, type Line, model } from './testing.ts';

const log = createLogger('silent');
type Case = [name: string, lines: Line[], tool: [name: string, ok: boolean] | null, disposition: string];

const BOOKED = {
  summary: 'They were booked: an appointment was made.',
  sentiment: 'NEUTRAL',
  tags: ['appointment_booked'],
  evidence: [{ tag: 'appointment_booked', quote: 'Friday' }],
  disposition: 'APPOINTMENT_BOOKED',
};

describe('an appointment is what a tool made, and no words', () => {
  it.each(cases as Case[])('%s', async (_, lines, tool, disposition) => {
    const analyzed = {
      ...call([['agent', 'Kent Garage, hello.'], ...lines]),
      toolUses: tool ? [{ name: tool[0], result: { ok: tool[1] } }] : [],
    };
    const isBooked = disposition === 'APPOINTMENT_BOOKED';
    for (const languageModel of [undefined, model(BOOKED)]) {
      // oxlint-disable-next-line no-await-in-loop -- two
      const analysis = await analyzeCall(analyzed, { languageModel, log });
      expect(analysis.disposition).toBe(disposition);
      expect(analysis.tags.includes('appointment_booked')).toBe(isBooked);
      expect(analysis.summary).not.toMatch(
        isBooked ? /nothing was booked/ : /They agreed on|ppointment was (?:made|agreed)/,
      );
    }
  });

  it('somebody has to follow up where the agent only said so', async () => {
    const { tags, summary } = await analyzeCall(
      call([
        ['human', 'Could I come on Tuesday at ten?'],
        ['agent', 'You are booked for Tuesday at 10 AM.'],
        ['human', 'Thank you.'],
      ]),
      { languageModel: undefined, log },
    );
    expect(tags).toEqual(['action_needed']);
    expect(summary).toContain('nothing was booked: "You are booked for Tuesday at 10 AM"');
  });
});
