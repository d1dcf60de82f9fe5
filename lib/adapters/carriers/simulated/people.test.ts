import { describe, expect, it } from 'vitest';
import { createSilentSpeech } from '#lib/engine/testing.ts';
import { manualClock } from '#lib/ports/testing.ts';
import { createSimulatedCarrier } from './carrier.ts';
import { askAgain, canAnswer } from './questions.ts';

const REFERENCES = Array.from({ length: 12 }, (_, index) => `person-${index}`);
const OPENING = 'Hello, this is Mia from Alpha Dental. Do you have a minute?';

/** What the person says to an agent that says these lines, one after each of theirs, whatever they say. */
async function talk(
  lastTwoDigits: string,
  agentLines: string[],
  { reference = 'person-0', question }: { reference?: string; question?: string } = {},
): Promise<string[]> {
  const speech = createSilentSpeech();
  const carrier = createSimulatedCarrier({ speed: 0, speech, clock: manualClock() });
  const leg = await carrier.dial({ reference, to: `+155501999${lastTwoDigits}` });
  leg.tell(question === undefined ? {} : { question });
  const waiting = [OPENING, ...agentLines];
  const said: string[] = [];
  for await (const event of leg.events) {
    if (event.type === 'utterance') said.push(event.text);
    if (event.type !== 'answered' && event.type !== 'utterance') continue;
    const text = waiting.shift();
    if (text === undefined) continue;
    leg.speak({ text, voiceId: null, language: 'en-US' });
  }
  return said;
}

describe('a simulated person', () => {
  it('objects to an answer that is none, asks again in other words, and leaves annoyed', async () => {
    const question = 'What are your opening hours?';
    const [asked, again, objected, left] = await talk(
      '13',
      ['Parking is behind the house.', 'You are very kind to us.', 'Our team loves animals.'],
      { question },
    );
    expect(asked).toContain(question);
    expect(again).toMatch(/not what I asked|doesn't answer/);
    expect(again).toContain('Could you tell me what your opening hours are?');
    expect(objected).toContain(question);
    expect(left).toMatch(/disappointed|not very helpful|isn't helping|wasting|expected better/);
  });

  it.each([
    ['We are open from 8 to 6 on weekdays. Anything else?', /great|perfect|that helps/i],
    ["I'm sorry, I do not have that information. Shall somebody call you back?", /^No[, ].*|thanks anyway/i],
  ])('is pleased with an answer, and polite where there is none: %s', async (answer, reaction) => {
    for (const reference of REFERENCES) {
      const said = await talk('13', [answer], { reference, question: 'What are your opening hours?' });
      expect(said).toHaveLength(2);
      expect(said[1]).toMatch(reaction);
    }
  });

  it('minds a heading that is read out and a sentence that comes twice', async () => {
    const purpose = 'The yearly check-up of your teeth is due this month.';
    expect((await talk('00', ['## Opening hours']))[1]).toMatch(/what does that mean|made no sense/);
    const said = await talk('00', [purpose, purpose]);
    expect(said[2]).toMatch(/already|said that before/);
  });

  it('repeats what it said in other words when the agent did not understand', async () => {
    const said = await talk('13', ['Sorry, I did not quite catch that. Could you repeat it?', 'Until six.'], {
      question: 'Do you open on Mondays?',
    });
    expect(said[1]).toBe('Could you tell me whether you open on Mondays?');
  });

  it('answers what it is asked: how it is, whether a day still works, its name and its reason', async () => {
    for (const reference of REFERENCES) {
      const options = { reference };
      expect((await talk('00', ['How are you feeling after the filling?'], options))[1]).toMatch(
        /fine|better|well/i,
      );
      expect((await talk('00', ['You have a visit on Friday. Does that still work?'], options))[1]).toMatch(
        /^Yes/,
      );
      expect((await talk('01', ['Of course. May I have your name?'], options))[1]).toMatch(/^My name is \w+/);
      expect((await talk('01', ['Gladly. What brings you to us?'], options))[1]).toMatch(/check-up|visit/);
    }
  });

  it('takes another time where the first is refused, and corrects a day that it did not say', async () => {
    for (const reference of REFERENCES) {
      const said = await talk(
        '01',
        [
          'I am afraid we are closed then.',
          'So that is Sunday at 11 am. Is that right?',
          'Is next Monday at 10 right?',
          'You are booked.',
        ],
        { reference },
      );
      expect(said[1]).toMatch(/next \w+day at/);
      expect(said[2]).toMatch(/not Sunday/);
      expect(said[3]).toMatch(/^(Yes|No, not Monday)/);
      expect(said.at(-1)).toMatch(/bye/i);
    }
  });

  it('does not believe in an appointment in the middle of the night', async () => {
    const said = await talk('01', ['How about 3 am?', 'Then tell me your time.']);
    expect(said[1]).toMatch(/hour/);
  });

  it('talks differently from call to call, and the same way for one reference', async () => {
    for (const digits of ['00', '01', '02', '03', '04', '13']) {
      const first = await Promise.all(REFERENCES.map((reference) => talk(digits, [], { reference })));
      expect(new Set(first.map(([line]) => line)).size, digits).toBeGreaterThan(3);
      expect(await talk(digits, [], { reference: 'person-3' })).toEqual(first[3]);
    }
  });
});

describe('a question', () => {
  it.each([
    ['What are your opening hours?', 'Could you tell me what your opening hours are?'],
    ['Where can I park?', 'Could you tell me where I can park?'],
    ['Do you offer teeth whitening?', 'Could you tell me whether you offer teeth whitening?'],
    ['Can I pay by card?', 'Could you tell me whether I can pay by card?'],
    ['Insurance?', 'My question was: Insurance?'],
  ])('%s is asked again as: %s', (question, again) => {
    expect(askAgain(question)).toBe(again);
  });

  it.each([
    ['When do you close?', 'At half past six.', true],
    ['Where can I park?', 'Parking is free behind the house.', true],
    ['Do you accept PPO insurance?', 'Harbor Dental accepts all major PPO plans.', true],
    ['How much is a cleaning?', 'Ninety-five dollars, it costs 95.', true],
    ['How much is a cleaning?', 'Our team loves animals.', false],
    ['What are your opening hours?', 'Please keep your dog outside.', false],
  ])('%s can be answered by %s: %s', (question, answer, expected) => {
    expect(canAnswer(question, answer)).toBe(expected);
  });
});
