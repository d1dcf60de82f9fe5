import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { clicks, mixed, music, noise } from '#lib/media/testing.ts';
import { openScene, prepareVoices, speechLike } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const afterOpening = async (...options: Parameters<typeof openScene>) => {
  const scene = await openScene(...options);
  await scene.agentIsDone();
  await scene.wait(300);
  return scene;
};

describe('a turn of the person', () => {
  it('is answered within 700 ms of its last sample, in the middle of several, by a model that answers at once', async () => {
    const scene = await afterOpening({ model: (_, turn) => ({ afterMs: 0, text: `Answer ${turn}.` }) });
    const delays: number[] = [];
    const turns = [
      'Yes.',
      'I need an appointment.',
      'I would like to make an appointment for next Tuesday.',
      'Thank you.',
      'That is good to hear.',
    ];
    for (const [index, text] of turns.entries()) {
      await scene.says(text);
      const endedAtMs = scene.clock.nowMs();
      await scene.agentSays(`Answer ${index}.`);
      delays.push((scene.said.at(-1)?.startedAtMs ?? 0) - endedAtMs);
      await scene.agentIsDone();
      await scene.wait(500);
    }
    delays.sort((one, other) => one - other);
    expect(delays[2]).toBeLessThanOrEqual(700);
    expect(delays.at(-1)).toBeLessThanOrEqual(1_000);
  });

  it('may pause in the middle of a sentence', async () => {
    const scene = await afterOpening();
    await scene.says('I would like to make an appointment and');
    await scene.wait(1_500);
    await scene.says('I also need a new prescription.');
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['I would like to make an appointment and I also need a new prescription.']);
  });

  it('may hesitate for long', async () => {
    const scene = await afterOpening();
    await scene.says('I was wondering, um');
    await scene.wait(1_800);
    await scene.says('whether you are open on Friday.');
    await scene.agentSays('I see');
    expect(scene.asked).toHaveLength(1);
  });

  it('is one where two sentences follow each other closely', async () => {
    const scene = await afterOpening();
    await scene.says('Good morning to you.');
    await scene.wait(200);
    await scene.says('I need an appointment.');
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['Good morning to you. I need an appointment.']);
  });

  it('may be a number with pauses between its groups, where one was asked for', async () => {
    const scene = await afterOpening({
      model: (_, turn) => (turn === 0 ? 'What is your phone number?' : 'Thank you.'),
    });
    await scene.says('Please call me back.');
    await scene.agentSays('phone number');
    await scene.agentIsDone();
    await scene.wait(500);
    await scene.says('four seven one');
    await scene.wait(1_000);
    await scene.says('three three two');
    await scene.wait(1_000);
    await scene.says('eight nine six five');
    await scene.agentSays('Thank you.');
    expect(scene.asked.at(-1)).toContain('four seven one');
    expect(scene.asked.at(-1)).toContain('eight nine six five');
  });

  it('is heard although it is quiet', async () => {
    const scene = await afterOpening();
    await scene.says('I need an appointment.', { db: -36 });
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['I need an appointment.']);
  });

  it('is heard in a noisy street', async () => {
    const scene = await afterOpening();
    const words = 'I need an appointment.';
    const background = noise(6_000, { db: -40 });
    scene.begins(words);
    scene.farEnd.hush();
    scene.sounds(mixed(background, speechLike(words)));
    await scene.agentSays('I see');
    expect(scene.asked).toEqual([words]);
  });

  it('may last for long', async () => {
    const scene = await afterOpening();
    const sentences = Array.from(
      { length: 8 },
      (_, index) => `And then I told them the thing number ${index},`,
    );
    for (const sentence of sentences) {
      await scene.says(sentence);
      await scene.wait(250);
    }
    await scene.says('that is all.');
    await scene.agentSays('I see');
    expect(scene.asked).toHaveLength(1);
    expect(scene.asked[0]?.split('number')).toHaveLength(9);
  });

  it('may be typed', async () => {
    const scene = await afterOpening();
    scene.farEnd.text('I need an appointment.');
    await scene.agentSays('I see');
    expect(scene.lines()).toContain('human: I need an appointment.');
  });
});

describe('no turn', () => {
  it.each([
    ['the noise of a street', () => noise(5_000, { db: -32 })],
    ['typing', () => clicks(5_000, { db: -28 })],
    ['music', () => music(5_000, { db: -28 })],
  ])('is made of %s', async (_, sound) => {
    const scene = await afterOpening({ understands: () => ({ text: '' }) });
    scene.sounds(sound());
    await scene.wait(6_000);
    expect(scene.asked).toEqual([]);
    expect(scene.lines()).toHaveLength(1);
  });

  it('is made of the echo of the agent, nor does it stop the agent', async () => {
    const scene = await openScene({ understands: () => ({ text: 'Hello Anna.' }) });
    scene.farEnd.echo({ gain: 0.02, delayMs: 60 });
    await scene.agentIsDone();
    await scene.wait(2_000);
    expect(scene.sinks.turns).toMatchObject([{ speaker: 'agent', interrupted: false }]);
  });

  it('is made of an echo as loud as a person, by its words', async () => {
    const scene = await openScene({
      understands: () => ({ text: 'Hello Anna, this is Mia from Alpha Dental.' }),
    });
    scene.farEnd.echo({ gain: 0.4, delayMs: 60 });
    await scene.agentSays('Do you have a minute');
    await scene.agentIsDone();
    await scene.wait(1_500);
    expect(scene.asked).toEqual([]);
    expect(scene.sinks.turns.every(({ speaker }) => speaker === 'agent')).toBe(true);
  });

  it('is lost although the agent echoes', async () => {
    const scene = await openScene();
    scene.farEnd.echo({ gain: 0.1, delayMs: 60 });
    await scene.agentIsDone();
    await scene.wait(1_000);
    await scene.says('I need an appointment.');
    await scene.agentSays('I see');
    expect(scene.asked.at(-1)).toBe('I need an appointment.');
  });
});

describe('silence', () => {
  it('is asked about once, and ends the call when it goes on', async () => {
    const scene = await openScene();
    await scene.agentSays('are you still there');
    await scene.agentSays("I can't hear you");
    const { endedBy, endReason } = await scene.over();
    expect(endedBy).toBe('limit');
    expect(endReason).toBe('Nobody spoke until the silence limit.');
  });

  it('that ends after the question is forgotten', async () => {
    const scene = await openScene();
    await scene.agentSays('are you still there');
    await scene.agentIsDone();
    await scene.says('Yes, I was just looking for my calendar.');
    await scene.agentSays('I see');
    await scene.agentIsDone();
    await scene.agentSays('are you still there');
    expect(scene.farEnd.isOver()).toBe(false);
  });
});
