import { describe, expect, it } from 'vitest';
import { createMemorySinks, planForTest } from '#lib/engine/testing.ts';
import type { SimulatedPerson } from '#lib/ports/simulated-person.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { createPlayedLeg } from './played-person.ts';
import { createScriptedCaller } from './scripted-caller.ts';
import { runSimulated } from './testing.ts';

const VOICES = { voices: [{ id: 'one', label: 'One', language: 'en-US' }] };
const speech = {
  ...VOICES,
  synthesize: () => {
    throw new Error('a call of words alone is not spoken');
  },
};

const LISTENING = { hints: [], language: 'en-US', isMultilingual: false, hasBargeIn: true };

const person = (changes: Partial<SimulatedPerson> = {}): SimulatedPerson => ({
  playedBy: 'script',
  description: 'Anna, who wants an appointment',
  manner: 'patient',
  script: [],
  facts: [],
  closing: "That's all, thank you. Goodbye.",
  ...changes,
});

async function call(changes: Partial<SimulatedPerson>, direction: 'INBOUND' | 'OUTBOUND' = 'INBOUND') {
  const sinks = createMemorySinks();
  const leg = createPlayedLeg(
    {
      reference: 'played',
      person: person(changes),
      isInbound: direction === 'INBOUND',
      hasSound: false,
      listening: LISTENING,
      voiceId: null,
    },
    { speech, clock: systemClock, languageModel: undefined },
  );
  const result = await runSimulated({
    plan: planForTest({ direction, prompt: { opening: 'Alpha Dental, this is Mia. How can I help you?' } }),
    leg,
    voices: speech.voices,
    sinks,
  });
  return { result, transcript: sinks.transcript(), tools: sinks.toolUses.map(({ name }) => name), sinks };
}

describe('a person who is played by a script', () => {
  it('books what the script asks for, and answers from the facts', async () => {
    const { result, transcript, tools } = await call({
      script: [{ say: 'I would like an appointment next Tuesday at 3 pm.', when: null }],
      facts: [{ about: 'name', answer: 'My name is Anna Berg.' }],
    });
    expect(transcript).toContain('Human: I would like an appointment next Tuesday at 3 pm.');
    expect(tools).toContain('book_appointment');
    expect(result.appointment).not.toBeNull();
    expect(result.endedBy).not.toBeNull();
  });

  it('is called as well', async () => {
    const { transcript } = await call(
      { script: [{ say: 'Not interested, thanks.', when: null }] },
      'OUTBOUND',
    );
    expect(transcript).toMatch(/^Agent: .*\nHuman: Not interested, thanks\./);
  });

  it('says nothing where they are silent, and the agent gives up', async () => {
    const { result, transcript } = await call({ manner: 'silent' });
    expect(transcript).not.toContain('Human:');
    expect(result).toMatchObject({ endedBy: 'limit' });
  });

  it('hangs up after the last line', async () => {
    const { result, sinks } = await call({
      manner: 'hangs_up',
      script: [{ say: 'Forget it.', when: null }],
    });
    expect(result).toMatchObject({ endedBy: 'human' });
    expect(sinks.turns.filter(({ speaker }) => speaker === 'human')).toHaveLength(1);
  });

  it('interrupts the agent in the middle of a sentence', async () => {
    const { sinks } = await call({
      manner: 'interrupts',
      script: [{ say: 'I need to speak to somebody about my bill.', when: null }],
    });
    expect(sinks.turns[0]).toMatchObject({ speaker: 'agent', interrupted: true });
  });
});

describe('a script', () => {
  const heard = async (changes: Partial<SimulatedPerson>, words: string[]) => {
    const caller = createScriptedCaller(person(changes));
    const said = [];
    for (const each of words) said.push(await caller.reply(each));
    return said.map((line) => line?.say);
  };

  it('takes a line with a condition when the agent mentions it, once, and the others in order', async () => {
    const script = [
      { say: 'First.', when: null },
      { say: 'I have no insurance.', when: 'insurance | insured' },
      { say: 'Second.', when: null },
    ];
    expect(
      await heard({ script }, ['How can I help you?', 'Are you insured?', 'Which insurance?', 'Fine.']),
    ).toEqual(['First.', 'I have no insurance.', 'Second.', "That's all, thank you. Goodbye."]);
  });

  it('tells a fact when it is asked for, not when it is only mentioned', async () => {
    const facts = [{ about: 'birth date | born', answer: 'The third of May 1980.' }];
    const script = [{ say: 'I would like to come in.', when: null }];
    expect(
      await heard({ script, facts }, ['We do not keep birth dates. How can I help?', 'When were you born?']),
    ).toEqual(['I would like to come in.', 'The third of May 1980.']);
  });

  it('confirms, does not know what it was not given, and then wants no more', async () => {
    expect(
      await heard({}, [
        'Tuesday at three, is that correct?',
        'What is your insurance number?',
        'Anything else I can do for you?',
      ]),
    ).toEqual(['Yes.', "I don't know, sorry.", "That's all, thank you. Goodbye."]);
  });

  it('says goodbye where the agent does, and waits where it is put through', async () => {
    const caller = createScriptedCaller(person());
    expect(await caller.reply("I'm connecting you with a colleague.")).toBeUndefined();
    expect(await caller.reply('Thank you for calling, goodbye!')).toEqual({
      say: 'Goodbye.',
      next: 'farewell',
    });
  });
});
