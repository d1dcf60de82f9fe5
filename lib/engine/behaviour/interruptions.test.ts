import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { clicks, cough, largestStep } from '#lib/media/testing.ts';
import { openScene, prepareVoices, type SceneOptions, soundingMs, speechLike } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const LONG =
  'We are open from eight to six on Monday. On Tuesday we open at nine. On Wednesday we are closed all day.';

/** The agent is in the middle of a long answer. */
async function whileAgentTalks(options: SceneOptions = {}) {
  const scene = await openScene({
    model: (heard) => (/when are you open/i.test(heard) ? LONG : 'All right then.'),
    ...options,
  });
  await scene.agentIsDone();
  await scene.says('When are you open?');
  await scene.agentSays('We are open');
  await scene.wait(800);
  return scene;
}

describe('speech over the agent', () => {
  it('silences it within 120 ms of the moment when it counts as an interruption', async () => {
    const scene = await whileAgentTalks();
    const beganAtMs = scene.clock.nowMs();
    scene.begins('Please stop, I only wanted to know about Friday.');
    await scene.agentSays('All right');
    const spoken = soundingMs(scene.farEnd.heard()).find(([, to]) => to > beganAtMs);
    expect((spoken?.[1] ?? 0) - beganAtMs).toBeLessThanOrEqual(500 + 120 + 100);
  });

  it.each([0, 130, 270, 390])(
    'ends its voice without a click, on the wire and in the recording (%s)',
    async (ms) => {
      const scene = await whileAgentTalks();
      await scene.wait(ms);
      const beganAtMs = scene.clock.nowMs();
      await scene.says('Please stop, I only wanted to know about Friday.');
      await scene.agentSays('All right');
      await scene.agentIsDone();
      scene.farEnd.hangUp();
      const { agentSound } = await scene.over();
      for (const sound of [scene.farEnd.heard(), agentSound]) {
        const loudest = largestStep(sound);
        const until = (soundingMs(sound).find(([, to]) => to > beganAtMs)?.[1] ?? 0) * 16;
        const last = sound.subarray(0, until + 320).findLastIndex((sample) => sample !== 0);
        // The last sample is next to nothing, and so is the way there.
        expect(Math.abs(sound[last] ?? 0)).toBeLessThan(100);
        expect(largestStep(sound.subarray(last - 48, last + 16))).toBeLessThan(loudest / 8);
      }
    },
  );

  it('is answered, and the transcript has of the agent only what was heard', async () => {
    const scene = await whileAgentTalks();
    await scene.says('Please stop, I only wanted to know about Friday.');
    await scene.agentSays('All right');
    const cut = scene.sinks.turns.find(({ interrupted }) => interrupted);
    expect(LONG.startsWith(cut?.text ?? '?')).toBe(true);
    expect(cut?.text.length).toBeLessThan(50);
    expect(cut?.intendedText?.startsWith('We are open from eight to six on Monday.')).toBe(true);
    expect(scene.asked.at(-1)).toBe('Please stop, I only wanted to know about Friday.');
  });

  it.each(['Okay.', 'Uh-huh.', 'Yeah, okay, I see.'])(
    'lets it say all of it when it is only "%s"',
    async (sign) => {
      const scene = await whileAgentTalks();
      await scene.says(sign);
      await scene.wait(2_500);
      await scene.agentIsDone();
      const heard = scene.sinks.turns.filter(({ speaker }) => speaker === 'agent').slice(1);
      expect(heard.map(({ text }) => text).join(' ')).toBe(LONG);
      expect(scene.asked).toHaveLength(1);
    },
  );

  it('does not stop it when it is a cough', async () => {
    const scene = await whileAgentTalks();
    scene.sounds(cough({ db: -18 }));
    await scene.agentIsDone();
    expect(scene.lines()).toContain(`agent: ${LONG}`);
  });

  it('does not stop it when it is typing', async () => {
    const scene = await whileAgentTalks();
    scene.sounds(clicks(1_500, { db: -25 }));
    await scene.agentIsDone();
    expect(scene.lines()).toContain(`agent: ${LONG}`);
  });

  it('makes it go on with the word at which it was cut, where no words come of it', async () => {
    const scene = await whileAgentTalks({
      understands: (_, text) => ({ text: text.includes('open') ? text : '' }),
    });
    scene.sounds(speechLike('somebody else talks in the room'));
    await scene.wait(4_000);
    await scene.agentIsDone();
    const parts = scene.sinks.turns.filter(
      ({ speaker, text }) => speaker === 'agent' && !text.startsWith('Hello'),
    );
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.map(({ text }) => text).join(' ')).toBe(LONG);
    expect(scene.asked).toHaveLength(1);
  });

  it('is answered after the agent has finished, where interruptions are switched off', async () => {
    const scene = await whileAgentTalks({
      plan: { listening: { hints: [], language: null, isMultilingual: false, hasBargeIn: false } },
    });
    await scene.says('I only wanted to know about Friday.');
    await scene.agentSays('All right');
    expect(scene.lines()).toContain(`agent: ${LONG}`);
    expect(scene.asked.at(-1)).toBe('I only wanted to know about Friday.');
  });

  it('may come twice in a row', async () => {
    const scene = await whileAgentTalks({
      model: (heard) => (heard.includes('open') || heard.includes('Friday') ? LONG : 'All right then.'),
    });
    await scene.says('Please stop, I only wanted to know about Friday.');
    await scene.agentSays('We are open');
    await scene.wait(900);
    await scene.says('No, that is not what I have asked for.');
    await scene.agentSays('All right');
    expect(scene.sinks.turns.filter(({ interrupted }) => interrupted)).toHaveLength(2);
  });

  it('stops the opening too, and is answered', async () => {
    const scene = await openScene({ model: () => 'Yes, this is she.' });
    await scene.agentSays('Hello Anna');
    await scene.wait(600);
    await scene.says('Sorry, who is calling there please?');
    await scene.agentSays('Yes, this');
    expect(scene.sinks.turns[0]).toMatchObject({ speaker: 'agent', interrupted: true });
  });

  it('does not cut the last words of the agent', async () => {
    const scene = await openScene({
      model: () => ({
        text: 'Thank you very much for your time today. Goodbye and take care.',
        tool: { name: 'end_call', arguments: { reason: 'done' } },
      }),
    });
    await scene.agentIsDone();
    await scene.says('That was all, thank you.');
    await scene.agentSays('Goodbye');
    await scene.says('Oh, and one more thing please.');
    const { endedBy } = await scene.over();
    expect(endedBy).toBe('agent');
    expect(scene.lines().at(-1)).toContain('Goodbye and take care.');
    expect(scene.sinks.turns.some(({ interrupted }) => interrupted)).toBe(false);
  });
});

describe('speech while the agent thinks', () => {
  it('makes it answer all of it', async () => {
    const scene = await openScene({ model: () => ({ afterMs: 2_000, text: 'Friday it is.' }) });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.wait(900);
    await scene.says('On Friday would be best for me.');
    await scene.agentSays('Friday it is');
    expect(scene.asked.at(-1)).toBe('I need an appointment. On Friday would be best for me.');
    expect(
      scene.said.filter(({ text, startedAtMs }) => text.startsWith('Friday') && startedAtMs),
    ).toHaveLength(1);
  });

  it('that begins together with the answer makes it fall silent, and both are answered', async () => {
    const scene = await openScene({
      model: (heard) =>
        heard.includes('Friday') ? 'Friday is fine.' : 'Which day would you like to come to us?',
    });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.agentSays('Which day');
    await scene.says('On Friday, if that is possible.');
    await scene.agentSays('Friday is fine');
    expect(scene.asked.at(-1)).toContain('On Friday, if that is possible.');
  });

  it('that has no words lets the answer come', async () => {
    const scene = await openScene({ model: () => ({ afterMs: 1_500, text: 'Here I am.' }) });
    await scene.agentIsDone();
    await scene.says('I need an appointment.');
    await scene.wait(900);
    scene.sounds(cough({ db: -20 }));
    await scene.agentSays('Here I am');
    expect(scene.asked.at(-1)).toBe('I need an appointment.');
  });
});
