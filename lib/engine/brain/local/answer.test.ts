import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findAnswer } from './answer.ts';

const PRACTICE = `# Alpha Dental: answers

## Opening hours
We are open Monday to Friday from 8 am to 6 pm. On Saturdays we are open from 9 am to 1 pm. We are closed on Sundays.

## Prices
- Professional cleaning: 95 euros
- Whitening: from 350 euros
- First consultation is free of charge.

## Getting here
Our practice is at 12 Harbour Street, on the second floor. Parking is available behind the house. The tram lines 3 and 7 stop in front of the door.

## Cancellations
Appointments can be cancelled free of charge up to 24 hours before. Later cancellations cost 40 euros.

Q: Do you accept children?
A: Yes, we treat children from the age of three. Dr. Weber is specialised in it.

## Insurance
We work with all public and private insurers. Please bring your insurance card to every visit.`;

const CSV = 'name: Room A\nprice: 120 euros\nseats: 12';

describe('an answer from documents', () => {
  it.each([
    ['What are your opening hours?', /open Monday to Friday from 8 am to 6 pm/],
    ['When do you open?', /8 am/],
    ['Are you open on Saturday?', /Saturdays we are open from 9 am/],
    ['What does a cleaning cost?', /95 euros/],
    ['How much is whitening?', /350 euros/],
    ['Where are you located?', /12 Harbour Street/],
    ["What's your address?", /12 Harbour Street/],
    ['Can I park there?', /Parking is available behind the house/],
    ['Do you have parking?', /Parking is available/],
    ['Can I cancel my appointment?', /cancelled free of charge/],
    ['Do you treat kids?', /children from the age of three/],
    ['Which insurance do you accept?', /all public and private insurers/],
    ['Is the first consultation free?', /consultation is free/],
    ['Which tram goes to you?', /tram lines 3 and 7/],
  ])('%s', async (question, expected) => {
    expect(await findAnswer(question, [PRACTICE])).toMatch(expected);
  });

  it.each([
    'Do you sell bicycles?',
    'Do you repair dentures?',
    'Tell me a joke.',
    'What is the wifi password?',
    'Hello?',
  ])('is not made up: %s', async (question) => {
    expect(await findAnswer(question, [PRACTICE])).toBeUndefined();
  });

  it('is spoken: no markdown, one or two sentences, not the whole text', async () => {
    for (const question of ['What are your opening hours?', 'How much is whitening?', 'Do you treat kids?']) {
      const answer = (await findAnswer(question, [PRACTICE])) ?? '';
      expect(answer).toMatch(/[.!?]$/);
      expect(answer).not.toMatch(/[#*\n]|Q:|A:/);
      expect(answer.length).toBeLessThan(330);
    }
  });

  it('is found in rows of a table', async () => {
    const row = 'treatment: Whitening. price_usd: 350. duration_minutes: 90. note: Not covered by insurance.';
    const other = 'treatment: Crown. price_usd: 1150. duration_minutes: 120. note: In two visits.';
    expect(await findAnswer('How much is a whitening?', [other, row])).toMatch(
      /^Whitening costs 350 dollars\./,
    );
    expect(await findAnswer('How long does a crown take?', [row, other])).toMatch(
      /^Crown takes 120 minutes\./,
    );
  });

  it('allows for other words than the document has', async () => {
    const shop =
      'Customers may return items within 45 days. Gift cards never expire.\n\nThe Zephyr plan costs 49 dollars per month.';
    expect(await findAnswer('What is the refund window?', [shop])).toMatch(/45 days/);
    expect(await findAnswer('What is your return policy?', [shop])).toMatch(/45 days/);
    expect(await findAnswer('How much is the Zephyr plan?', [shop])).toMatch(/49 dollars/);
    expect(
      await findAnswer('How much is the Boreal plan for pilots?', ['The office is open daily.']),
    ).toBeUndefined();
  });

  it('is found in short texts', async () => {
    expect(await findAnswer('What is the price of Room A?', [CSV])).toMatch(/120 euros/);
    expect(await findAnswer('How many seats does the room have?', [CSV])).toMatch(/12/);
  });

  it('never fails, whatever the texts are', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.array(fc.string()), async (question, texts) => {
        await findAnswer(question, texts);
      }),
      { numRuns: 20 },
    );
  });
});
