import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { clicks, tone } from '#lib/media/testing.ts';
import { openScene, prepareVoices, type SceneOptions, soundingMs } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const OPENING = 'Hello Anna, this is Mia from Alpha Dental. Do you have a minute?';
const LONG =
  'We are open from eight to six on Monday. On Tuesday we open at nine. On Wednesday we are closed all day.';
const APOLOGY = /sorry/i;

const openCall = (options: SceneOptions = {}) => openScene({ realtime: () => 'I see.', ...options });

/** The person has heard the opening and asks for the opening hours. */
async function whileAgentTalks(options: SceneOptions = {}) {
  const scene = await openCall({
    realtime: (heard) => (/when are you open/i.test(heard) ? LONG : 'All right then.'),
    ...options,
  });
  await scene.agentIsDone();
  await scene.says('When are you open?');
  await scene.agentSays('We are open');
  await scene.wait(800);
  return scene;
}

describe('a model that hears and speaks', () => {
  it('says the opening to the letter, answers what it heard, and is recorded and written down', async () => {
    const scene = await openCall();
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('I see.');
    await scene.agentIsDone();
    scene.farEnd.hangUp();
    const result = await scene.over();
    expect(scene.lines()).toEqual([`agent: ${OPENING}`, 'human: I need an appointment.', 'agent: I see.']);
    expect(scene.asked).toEqual([]);
    expect(scene.realtime.asked[0]).toEqual({
      heard: 'I need an appointment.',
      messages: [`assistant: ${OPENING}`],
    });
    const answer = scene.sinks.turns.at(-1);
    const heard = soundingMs(result.agentSound).at(-1);
    expect(Math.abs((heard?.[0] ?? 0) - (answer?.startedMs ?? 0))).toBeLessThanOrEqual(60);
  });

  it('answers within 700 ms of the last word, and each part of that time is told', async () => {
    const scene = await openCall({ realtime: () => ({ text: 'Certainly.', afterMs: 0 }) });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('Certainly.');
    await scene.agentIsDone();
    const timings = scene.sinks.turns.at(-1)?.timings;
    expect(timings?.totalMs).toBeLessThanOrEqual(700);
    expect(timings?.firstTokenMs).toBeLessThanOrEqual(20);
    expect(timings?.endOfTurnMs).toBeGreaterThan(0);
  });

  it('is told the settings of the agent, and its tools', async () => {
    const scene = await openCall({
      plan: { listening: { hints: ['Alpha'], language: 'de', isMultilingual: false, hasBargeIn: true } },
    });
    const { instructions, tools, listening } = scene.realtime.openedWith ?? {};
    expect(instructions).toMatch(/You are Mia\.[\s\S]*The call began on/);
    expect(tools?.map(({ name }) => name)).toContain('end_call');
    expect(listening).toMatchObject({ hints: ['Alpha'], language: 'de' });
  });

  it.each([true, false])('is told whether the far end is a telephone (%s)', async (isTelephone) => {
    const scene = await openCall({ isTelephone });
    expect(scene.realtime.openedWith?.isTelephone).toBe(isTelephone);
  });

  it('speaks with its first voice where there is no such voice, and the history says so', async () => {
    const scene = await openCall({ plan: { voiceId: 'nobody' } });
    await scene.wait(100);
    expect(scene.history('voice_unknown')).toEqual([{ voiceId: 'nobody', usedVoiceId: 'marin' }]);
  });

  it('hears of digits, which it cannot hear', async () => {
    const scene = await openCall();
    await scene.agentIsDone();
    for (const digit of '123#') scene.farEnd.press(digit);
    await scene.agentSays('I see.');
    expect(scene.realtime.asked.at(-1)?.heard).toBe('[pressed 1 2 3 #]');
  });

  it('asks whether anybody is there with its own voice, and knows that it did', async () => {
    const scene = await openCall();
    await scene.agentIsDone();
    await scene.wait(12_000);
    await scene.agentIsDone();
    expect(scene.said).toHaveLength(3);
    expect(scene.realtime.recited).toContain(scene.said.at(-1)?.text);
    expect(scene.realtime.told.at(-1)).toBe(`assistant: ${scene.said.at(-1)?.text}`);
    scene.farEnd.hangUp();
    await scene.over();
  });

  it('ends a call on which nobody speaks', async () => {
    const scene = await openCall();
    expect(await scene.over()).toMatchObject({ endedBy: 'limit' });
  });

  it('ends a call at its time limit with a goodbye', async () => {
    const scene = await openCall({ plan: { limits: { maxDurationMs: 30_000, silenceMs: 60_000 } } });
    expect((await scene.over()).endReason).toBe('The call reached its maximum duration.');
    expect(scene.lines().at(-1)).toMatch(/^agent: /);
    expect(scene.lines()).toHaveLength(2);
  });

  it('leaves a message on a voicemail in its own voice', async () => {
    const scene = await openCall({ answeredBy: 'machine' });
    await scene.says('I would like to make an appointment for next Tuesday.');
    scene.sounds(tone(500, { hz: 1_000, db: -18 }));
    const result = await scene.over();
    expect(result.voicemail).toBe('message_left');
    expect(scene.realtime.recited).toEqual(expect.arrayContaining([scene.said[0]?.text]));
  });
});

describe('an interruption of it', () => {
  it('is answered; the model and the transcript keep what was heard', async () => {
    const scene = await whileAgentTalks();
    await scene.says('Please stop, I only wanted to know about Friday.');
    await scene.agentSays('All right');
    await scene.agentIsDone();
    const cut = scene.sinks.turns.find(({ interrupted }) => interrupted);
    expect(LONG.startsWith(cut?.text ?? '?')).toBe(true);
    expect(cut?.text.length).toBeLessThan(50);
    expect(cut?.intendedText).toBe(LONG);
    const heardMs = (cut?.endedMs ?? 0) - (cut?.startedMs ?? 0);
    expect(scene.realtime.truncated).toHaveLength(1);
    expect(Math.abs((scene.realtime.truncated[0] ?? 0) - heardMs)).toBeLessThanOrEqual(60);
  });

  it('that was a noise lets it go on with the next word, and nothing is forgotten', async () => {
    const scene = await whileAgentTalks({ understands: (question) => (question === 1 ? { text: '' } : {}) });
    await scene.says('Mm-mm, mm-mm, mm-mm.');
    await scene.wait(1_500);
    await scene.agentIsDone();
    const heard = scene.sinks.turns.filter(({ speaker }) => speaker === 'agent').slice(1);
    expect(heard.length).toBeGreaterThan(1);
    expect(heard.map(({ text }) => text).join(' ')).toBe(LONG);
    await scene.says('I need an appointment.');
    await scene.agentSays('All right');
    expect(scene.realtime.truncated).toEqual([]);
  });

  it('that is none lets it say all of it', async () => {
    const scene = await whileAgentTalks();
    await scene.says('Uh-huh.');
    await scene.wait(2_500);
    await scene.agentIsDone();
    const heard = scene.sinks.turns.filter(({ speaker }) => speaker === 'agent').slice(1);
    expect(heard.map(({ text }) => text).join(' ')).toBe(LONG);
    expect(scene.realtime.asked).toHaveLength(1);
  });

  it('before a sound leaves no trace, and all that was said is answered', async () => {
    const scene = await openCall({
      realtime: (heard) =>
        /Tuesday/.test(heard) ? 'On Tuesday, then.' : { text: 'Which day?', afterMs: 1_000 },
    });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.wait(700);
    await scene.says('On Tuesday next week, if that is possible at all.');
    await scene.agentSays('On Tuesday');
    await scene.agentIsDone();
    expect(scene.lines().slice(1)).toEqual([
      'human: I need an appointment.',
      'human: On Tuesday next week, if that is possible at all.',
      'agent: On Tuesday, then.',
    ]);
    expect(scene.realtime.truncated.every((heardMs) => heardMs === 0)).toBe(true);
  });

  it('by both beginning at once leaves the word to the person', async () => {
    const scene = await openCall({
      realtime: (heard) =>
        /Tuesday/.test(heard) ? 'On Tuesday, then.' : 'Which day would suit you best next week?',
    });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('Which day');
    await scene.says('I would like to make an appointment for next Tuesday.');
    await scene.agentSays('On Tuesday');
    await scene.agentIsDone();
    expect(scene.lines().at(-1)).toBe('agent: On Tuesday, then.');
    expect(scene.realtime.truncated).toHaveLength(1);
  });

  it('by a key is answered at once', async () => {
    const scene = await whileAgentTalks();
    scene.farEnd.press('#');
    await scene.agentSays('All right');
    expect(scene.realtime.asked.at(-1)?.heard).toBe('[pressed #]');
    expect(scene.realtime.truncated[0]).toBeGreaterThan(0);
  });

  it('by clicks and knocks does not stop it', async () => {
    const scene = await whileAgentTalks();
    scene.sounds(clicks(1_500, { db: -18 }));
    await scene.agentIsDone();
    expect(scene.lines().at(-1)).toBe(`agent: ${LONG}`);
  });

  it('does nothing where barge-in is off, and is answered afterwards', async () => {
    const scene = await whileAgentTalks({
      plan: { listening: { hints: [], language: null, isMultilingual: false, hasBargeIn: false } },
    });
    await scene.says('I would like to make an appointment for next Tuesday.');
    await scene.agentSays('All right');
    expect(scene.lines()).toContain(`agent: ${LONG}`);
  });
});

describe('its tools', () => {
  it('are used, and the answer goes on with what they gave', async () => {
    const scene = await openCall({
      realtime: (_heard, turn) =>
        turn === 0
          ? {
              text: 'One second.',
              tool: { name: 'schedule_callback', arguments: { when: 'tomorrow at ten' } },
            }
          : 'We will call you tomorrow.',
    });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('We will call');
    await scene.agentIsDone();
    expect(scene.sinks.toolUses.map(({ name }) => name)).toEqual(['schedule_callback']);
    expect(scene.realtime.results).toHaveLength(1);
    expect(scene.lines().at(-1)).toBe('agent: One second. We will call you tomorrow.');
  });

  it('hang up after the goodbye was heard', async () => {
    const scene = await openCall({
      realtime: () => ({
        text: 'Goodbye, Anna.',
        tool: { name: 'end_call', arguments: { reason: 'all done' } },
      }),
    });
    await scene.agentIsDone();
    await scene.says('No, wait.');
    const result = await scene.over();
    expect(result.endReason).toBe('The agent ended the call: all done.');
    expect(scene.lines().at(-1)).toBe('agent: Goodbye, Anna.');
  });

  it('hang up with a goodbye in its voice where it said none', async () => {
    const scene = await openCall({ realtime: () => ({ tool: { name: 'end_call', arguments: {} } }) });
    await scene.agentIsDone();
    await scene.says('No, wait.');
    await scene.over();
    expect(scene.lines().at(-1)).toMatch(/^agent: .*(bye|care|day)/i);
  });

  it('hand the person over once it was said, and tell the model where that failed', async () => {
    const scene = await openCall({
      plan: { transferNumber: '+15550100009' },
      transfer: async () => ({ ok: false, reason: 'nobody picked up' }),
      realtime: (heard) =>
        /message/.test(heard)
          ? 'Noted.'
          : { text: 'I am connecting you.', tool: { name: 'transfer_call', arguments: {} } },
    });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('connecting you');
    await scene.wait(4_000);
    await scene.agentIsDone();
    expect(scene.farEnd.transfers).toHaveLength(1);
    expect(scene.realtime.told.join('\n')).toContain('The transfer failed: nobody picked up');
    await scene.says('Please take a message for the doctor.');
    await scene.agentSays('Noted.');
  });

  it('asked for again and again with the same arguments run once', async () => {
    const tool = { name: 'schedule_callback', arguments: { when: 'tomorrow at ten' } };
    const scene = await openCall({ realtime: (_heard, turn) => (turn < 2 ? { tool } : 'All set.') });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('All set.');
    expect(scene.sinks.toolUses).toHaveLength(1);
  });
});

describe('a realtime model that fails', () => {
  const ask = async (options: SceneOptions) => {
    const scene = await openCall({ model: () => 'The other model answers.', ...options });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    return scene;
  };

  it('and hangs is covered by a filler, and the language model answers', async () => {
    const scene = await ask({ realtime: () => ({ hangs: true }) });
    await scene.agentSays('The other model answers.');
    await scene.agentIsDone();
    expect(scene.sinks.turns.at(-1)?.timings?.totalMs).toBeLessThanOrEqual(2_200);
    expect(scene.lines().at(-1)).toMatch(/The other model answers\.$/);
    expect(scene.history('model_failed')).toEqual([
      { model: 'realtime', kind: 'timed_out', afterMs: 2_500, next: 'first' },
    ]);
  });

  it('once has the next turn again', async () => {
    const scene = await ask({ realtime: (_heard, turn) => (turn === 0 ? { hangs: true } : 'Back again.') });
    await scene.agentSays('The other model answers.');
    await scene.agentIsDone();
    await scene.says('No, wait.');
    await scene.agentSays('Back again.');
    expect(scene.realtime.asked.at(-1)?.messages.slice(1)).toEqual([
      'user: I need an appointment.',
      expect.stringMatching(/^assistant: .*The other model answers\.$/),
    ]);
  });

  it('twice leaves the call to the language model', async () => {
    const scene = await ask({ realtime: () => ({ hangs: true }) });
    await scene.agentSays('The other model answers.');
    await scene.agentIsDone();
    await scene.says('No, wait.');
    await scene.agentSays('The other model answers.');
    await scene.agentIsDone();
    expect(scene.realtime.isClosed).toBe(true);
    await scene.says('Yes.');
    await scene.agentSays('The other model answers.');
    expect(scene.history('model_failed')).toHaveLength(2);
  });

  it.each(['no_credit', 'bad_key', 'no_such_model'])(
    'for good (%s) leaves the call to the language model at once, and the history has it for the dashboard',
    async (kind) => {
      const scene = await ask({ realtime: () => ({ fails: kind }) });
      await scene.agentSays('The other model answers.');
      expect(scene.realtime.isClosed).toBe(true);
      expect(scene.realtime.asked).toHaveLength(1);
      expect(scene.history('model_failed')).toEqual([expect.objectContaining({ model: 'realtime', kind })]);
    },
  );

  it('before a sound is asked once more on a new connection', async () => {
    const scene = await ask({
      realtime: (_heard, turn) => (turn === 0 ? { fails: 'broke_off' } : 'Here I am.'),
    });
    await scene.agentSays('Here I am.');
    expect(scene.realtime.renewals).toBe(1);
    expect(scene.asked).toEqual([]);
  });

  it('in the middle of an answer is heard up to a pause, and the language model goes on', async () => {
    const scene = await ask({
      realtime: () => ({ text: LONG, breaksOff: true }),
      model: () => 'On Friday until two.',
    });
    await scene.agentSays('On Friday');
    await scene.agentIsDone();
    const [, answer = ''] = scene.lines().slice(1);
    expect(answer).toMatch(/^agent: We are open from eight .* On Friday until two\.$/);
    expect(scene.history('model_failed')[0]).toMatchObject({ kind: 'broke_off', next: 'first' });
  });

  it('alone ends the call with an apology and an honest reason', async () => {
    const scene = await ask({ isAlone: true, realtime: () => ({ hangs: true }) });
    const result = await scene.over();
    expect(scene.lines().at(-1)).toMatch(APOLOGY);
    expect(result.endReason).toBe('The agent could not go on: the language model did not answer in time.');
  });

  it('with an empty answer asks to say it again, once', async () => {
    const scene = await ask({ realtime: (_heard, turn) => (turn === 0 ? {} : 'Now I know.') });
    await scene.agentSays(/again/);
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('Now I know.');
    expect(scene.history('model_failed')).toEqual([expect.objectContaining({ kind: 'empty' })]);
  });

  it('to speak says so by the other voice where it only writes', async () => {
    const scene = await openCall({
      recites: () => ({ text: '' }),
      realtime: () => 'I see.',
    });
    await scene.agentIsDone();
    expect(scene.lines()).toEqual([`agent: ${OPENING}`]);
    expect(scene.history('voice_replaced')).toHaveLength(1);
  });
});

describe('a fixed line', () => {
  it('that the model says otherwise is never heard so', async () => {
    const scene = await openCall({ recites: (line) => `${line} How can I help?` });
    await scene.agentIsDone();
    expect(scene.lines()).toEqual([`agent: ${OPENING}`]);
    expect(scene.history('voice_replaced')).toHaveLength(1);
  });

  it('that the model does not say in time is said by the other voice', async () => {
    const scene = await openCall({ recites: () => ({ hangs: true }) });
    await scene.wait(3_000);
    await scene.agentSays('Hello Anna');
    await scene.agentIsDone();
    expect(scene.lines()).toEqual([`agent: ${OPENING}`]);
  });

  it('is the same where only marks and capitals differ', async () => {
    const scene = await openCall({ recites: (line) => line.toUpperCase().replace(/[.,?]/g, '') });
    await scene.agentIsDone();
    expect(scene.history('voice_replaced')).toEqual([]);
  });
});

describe('an answer without an end', () => {
  it('stops at a pause after half a minute and asks whether to go on', async () => {
    const scene = await openCall({
      realtime: () => Array.from({ length: 60 }, () => 'We open at nine on each day.').join(' '),
    });
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.agentSays('We open');
    await scene.clock.passUntil('it asks', () => scene.said.some(({ text }) => /go on|more/i.test(text)));
    await scene.clock.passUntil(
      'it has asked',
      () => scene.said.every(({ heard }) => heard !== undefined),
      60_000,
    );
    await scene.wait(500);
    const answer = scene.sinks.turns.at(-1);
    const lastedMs = (answer?.endedMs ?? 0) - (answer?.startedMs ?? 0);
    expect(lastedMs).toBeGreaterThan(29_000);
    expect(lastedMs).toBeLessThan(45_000);
  });
});

describe('the words of what a person says', () => {
  it('come from the other transcription where the model gives none', async () => {
    const scene = await openCall({
      understands: (question, text) =>
        [{ hangs: true }, { text: 'I need an appointment.' }][question] ?? { text },
    });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('I see.');
    expect(scene.lines()).toContain('human: I need an appointment.');
    expect(scene.history('transcription_failed')).toEqual([]);
  });
});
