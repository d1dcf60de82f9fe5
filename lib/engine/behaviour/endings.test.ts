import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { tone } from '#lib/media/testing.ts';
import { parsePhoneNumber } from '#lib/phone-number.ts';
import { openScene, prepareVoices, type Scene } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const LONG = 'We are open from eight to six on Monday. On Tuesday we open at nine.';
const talk = { model: () => LONG };

describe('a person who hangs up', () => {
  const states: [string, (scene: Scene) => Promise<void>][] = [
    ['during the opening', (scene) => scene.agentSays('Hello Anna')],
    ['after the opening', (scene) => scene.agentIsDone()],
    [
      'while speaking',
      async (scene) => {
        await scene.agentIsDone();
        scene.begins('I would like to make an appointment for next Tuesday.');
        await scene.wait(900);
      },
    ],
    [
      'before the agent answers',
      async (scene) => {
        await scene.agentIsDone();
        await scene.says('When are you open?');
        await scene.wait(450);
      },
    ],
    [
      'in the middle of an answer',
      async (scene) => {
        await scene.agentIsDone();
        await scene.says('When are you open?');
        await scene.agentSays('We are open');
        await scene.wait(900);
      },
    ],
    [
      'just after interrupting',
      async (scene) => {
        await scene.agentIsDone();
        await scene.says('When are you open?');
        await scene.agentSays('We are open');
        scene.begins('No, stop, I meant the other practice.');
        await scene.wait(800);
      },
    ],
  ];
  it.each(states)('%s ends the call', async (_, reach) => {
    const scene = await openScene(talk);
    await reach(scene);
    scene.farEnd.hangUp();
    const result = await scene.over();
    expect(result).toMatchObject({ connected: true, endedBy: 'human' });
    expect(scene.said.every(({ heard }) => heard !== undefined)).toBe(true);
  });

  it('leaves in the transcript what was heard until then', async () => {
    const scene = await openScene(talk);
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.agentSays('We are open');
    await scene.wait(1_000);
    scene.farEnd.hangUp();
    await scene.over();
    const last = scene.sinks.turns.at(-1);
    expect(last).toMatchObject({ speaker: 'agent', interrupted: true });
    expect(LONG.startsWith(last?.text ?? '?')).toBe(true);
    expect(last?.text.length).toBeGreaterThan(5);
    expect(last?.text.length).toBeLessThan(30);
  });

  it('during the goodbye is nothing special', async () => {
    const scene = await openScene({
      model: () => ({
        text: 'Goodbye and take care.',
        tool: { name: 'end_call', arguments: { reason: 'done' } },
      }),
    });
    await scene.agentIsDone();
    await scene.says('That is all, bye.');
    await scene.agentSays('Goodbye');
    await scene.wait(200);
    scene.farEnd.hangUp();
    expect((await scene.over()).connected).toBe(true);
  });
});

describe('an agent that ends the call', () => {
  it('is heard to its last word first', async () => {
    const scene = await openScene({
      model: () => ({
        text: 'Thank you for your call. Goodbye and take care.',
        tool: { name: 'end_call', arguments: { reason: 'done' } },
      }),
    });
    await scene.agentIsDone();
    await scene.says('That is all, bye.');
    const result = await scene.over();
    expect(result.endedBy).toBe('agent');
    expect(scene.lines().at(-1)).toBe('agent: Thank you for your call. Goodbye and take care.');
  });

  it('says goodbye although the model found no words for it', async () => {
    const scene = await openScene({
      model: () => ({ tool: { name: 'end_call', arguments: { reason: 'done' } } }),
    });
    await scene.agentIsDone();
    await scene.says('That is all, bye.');
    await scene.over();
    expect(scene.lines().at(-1)).toMatch(/^agent: .*[Gg]oodbye/);
  });

  it('does so within seconds where the service stops', async () => {
    const scene = await openScene(talk);
    await scene.agentIsDone();
    scene.shutDown.abort(new Error('the service stops'));
    const stoppedAtMs = scene.clock.nowMs();
    const result = await scene.over();
    expect(result.endedBy).toBe('shutdown');
    expect(scene.lines().at(-1)).toContain('Goodbye');
    expect(scene.said.at(-1)?.endedAtMs ?? 0).toBeLessThan(stoppedAtMs + 6_000);
  });

  it('does so when the time of the call is over', async () => {
    const scene = await openScene({
      plan: { limits: { maxDurationMs: 20_000, silenceMs: 60_000 } },
    });
    const result = await scene.over();
    expect(result.endedBy).toBe('limit');
    expect(result.durationMs).toBeLessThanOrEqual(20_000);
    expect(scene.lines().at(-1)).toContain('goodbye');
  });
});

describe('a transfer', () => {
  const plan = { transferNumber: parsePhoneNumber('+15550100099') };
  const model = () => ({
    text: 'I will put you through.',
    tool: { name: 'transfer_call', arguments: { reason: 'wants a human' } },
  });

  it('is announced, then made', async () => {
    const scene = await openScene({ plan, model });
    await scene.agentIsDone();
    await scene.says('I want to talk to a human.');
    const result = await scene.over();
    expect(result.transferredTo).toBe('+15550100099');
    expect(scene.lines().at(-1)).toBe('agent: I will put you through.');
    expect(scene.farEnd.transfers).toHaveLength(1);
  });

  it('that fails is apologised for, and the conversation goes on', async () => {
    const scene = await openScene({
      plan,
      model: (_, turn) => (turn === 0 ? model() : 'I have noted that.'),
      transfer: async () => ({ ok: false, reason: 'busy' }),
    });
    await scene.agentIsDone();
    await scene.says('I want to talk to a human.');
    await scene.agentSays(/sorry/i);
    await scene.agentIsDone();
    await scene.says('Then please call me back later.');
    await scene.agentSays('I have noted that');
    expect(scene.farEnd.isOver()).toBe(false);
  });
});

describe('an answering machine', () => {
  const greeting = 'Hello, you have reached Anna. Please leave a message after the tone.';
  const beep = tone(500, { hz: 1_000, db: -15 });

  it('gets the message after its beep, and the call ends', async () => {
    const scene = await openScene({ answeredBy: 'machine' });
    await scene.says(greeting);
    await scene.wait(400);
    scene.sounds(beep);
    await scene.agentSays(/Mia/);
    const spokeAtMs = scene.said[0]?.startedAtMs ?? 0;
    const result = await scene.over();
    expect(result).toMatchObject({ voicemail: 'message_left', answeredBy: 'machine' });
    expect(spokeAtMs).toBeGreaterThan(0);
  });

  it('is found out by its greeting where it was taken for a person', async () => {
    const scene = await openScene({ answeredBy: 'unknown' });
    await scene.says(greeting);
    await scene.wait(500);
    scene.sounds(beep);
    const result = await scene.over();
    expect(result.voicemail).toBe('message_left');
    expect(scene.history('machine_detected')).toHaveLength(1);
  });

  it('without a beep gets no message', async () => {
    const scene = await openScene({ answeredBy: 'machine' });
    await scene.says(greeting);
    const result = await scene.over();
    expect(result.voicemail).toBe('no_message');
    expect(scene.said).toEqual([]);
  });

  it('that takes no message is left at once', async () => {
    const scene = await openScene({ answeredBy: 'machine' });
    await scene.says('The mailbox is full and cannot accept any messages at this time. Goodbye.');
    const endedAtMs = scene.clock.nowMs();
    const result = await scene.over();
    expect(result.voicemail).toBe('no_message');
    expect(result.durationMs).toBeLessThan(endedAtMs + 3_000);
  });

  it('that hangs up in the middle of the message has no message', async () => {
    const scene = await openScene({ answeredBy: 'machine' });
    await scene.says(greeting);
    await scene.wait(400);
    scene.sounds(beep);
    await scene.agentSays(/Mia/);
    await scene.wait(300);
    scene.farEnd.hangUp('carrier');
    expect((await scene.over()).voicemail).toBe('no_message');
  });
});

describe('keys', () => {
  it('that a person presses are a turn', async () => {
    const scene = await openScene();
    await scene.agentIsDone();
    for (const digit of '4711#') {
      scene.farEnd.press(digit);
      await scene.wait(300);
    }
    await scene.agentSays('I see');
    expect(scene.asked[0]).toBe('[pressed 4 7 1 1 #]');
  });

  it('silence the agent at once', async () => {
    const scene = await openScene(talk);
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.agentSays('We are open');
    await scene.wait(500);
    scene.farEnd.press('0');
    await scene.wait(60);
    expect(scene.agentIsSpeaking()).toBe(false);
  });

  it('are pressed by the agent', async () => {
    const scene = await openScene({
      model: (_, turn) =>
        turn === 0 ? { tool: { name: 'press_digits', arguments: { digits: '12#' } } } : 'Done.',
    });
    await scene.agentIsDone();
    await scene.says('For sales, press one two and hash.');
    await scene.agentSays('Done');
    expect(scene.farEnd.pressed).toEqual(['12#']);
  });
});
