import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { cough } from '#lib/media/testing.ts';
import { openScene, prepareVoices, soundingMs } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const LONG = 'We are open from eight to six on Monday. On Tuesday we open at nine.';
const ANSWERED_AT_MS = 100;
/** Pauses within what one side says are shorter than this. */
const speech = { gapMs: 700 };

describe('the recording of a call', () => {
  it('has both sides where the transcript says, to 50 ms', async () => {
    const scene = await openScene({ model: () => LONG });
    await scene.agentIsDone();
    await scene.wait(900);
    await scene.says('When are you open?');
    await scene.agentSays('On Tuesday');
    await scene.agentIsDone();
    await scene.wait(1_000);
    scene.farEnd.hangUp();
    const { agentSound, humanSound, durationMs } = await scene.over();
    expect(Math.abs(agentSound.length / 16 - durationMs)).toBeLessThan(1);
    const agent = scene.sinks.turns.filter(({ speaker }) => speaker === 'agent');
    const agentHeard = soundingMs(agentSound, speech);
    expect(agentHeard).toHaveLength(agent.length);
    for (const [index, { startedMs, endedMs }] of agent.entries()) {
      const [from, to] = agentHeard[index] ?? [0, 0];
      expect(Math.abs(from - startedMs)).toBeLessThanOrEqual(50);
      expect(Math.abs(to - endedMs)).toBeLessThanOrEqual(50);
    }
    const [human] = scene.sinks.turns.filter(({ speaker }) => speaker === 'human');
    const [from, to] = soundingMs(humanSound, speech)[0] ?? [0, 0];
    expect(Math.abs(from - (human?.startedMs ?? 0))).toBeLessThanOrEqual(100);
    expect(Math.abs(to - (human?.endedMs ?? 0))).toBeLessThanOrEqual(150);
  });

  it('has of the agent what the person heard, to the sample', async () => {
    const scene = await openScene({ model: () => LONG });
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.agentSays('We are open');
    await scene.wait(900);
    await scene.says('No, stop, I meant the other practice.');
    await scene.wait(2_000);
    const heard = scene.farEnd.heard();
    scene.farEnd.hangUp();
    const { agentSound } = await scene.over();
    const onset = (samples: Int16Array) => samples.findIndex((sample) => sample !== 0);
    const late = onset(agentSound) + ANSWERED_AT_MS * 16 - onset(heard);
    expect(Math.abs(late)).toBeLessThanOrEqual(20 * 16);
    const isLoud = (sample: number) => Math.abs(sample) > 50;
    expect(agentSound.filter(isLoud).length / heard.filter(isLoud).length).toBeCloseTo(1, 1);
  });

  it('has sounds of which no words came', async () => {
    const scene = await openScene({ understands: () => ({ text: '' }) });
    await scene.agentIsDone();
    await scene.wait(500);
    const atMs = scene.clock.nowMs() - ANSWERED_AT_MS;
    scene.sounds(cough({ db: -20 }));
    await scene.wait(1_500);
    scene.farEnd.hangUp();
    const { humanSound } = await scene.over();
    const [from] = soundingMs(humanSound)[0] ?? [0];
    expect(Math.abs(from - atMs)).toBeLessThanOrEqual(50);
  });
});

describe('the timings of an answer', () => {
  it('are measured for each part, and together', async () => {
    const scene = await openScene({
      model: () => ({ afterMs: 300, text: 'Of course.' }),
      voice: (count) => (count > 1 ? { afterMs: 150 } : {}),
    });
    await scene.agentIsDone();
    await scene.wait(500);
    await scene.says('I need an appointment.');
    const endedAtMs = scene.clock.nowMs();
    await scene.agentSays('Of course');
    const heardAfterMs = (scene.said.at(-1)?.startedAtMs ?? 0) - endedAtMs;
    await scene.agentIsDone();
    const timings = scene.sinks.turns.at(-1)?.timings;
    expect(timings?.firstTokenMs).toBe(300);
    expect(timings?.firstAudioMs).toBeGreaterThanOrEqual(150);
    expect(timings?.firstAudioMs).toBeLessThanOrEqual(200);
    expect(timings?.transcriptionMs).toBeLessThanOrEqual(timings?.endOfTurnMs ?? 0);
    expect(Math.abs((timings?.totalMs ?? 0) - heardAfterMs)).toBeLessThanOrEqual(150);
  });

  it('belong to answers only', async () => {
    const scene = await openScene();
    await scene.agentSays('are you still there');
    await scene.agentIsDone();
    await scene.says('Yes, I am here now.');
    await scene.agentSays('I see');
    await scene.agentIsDone();
    expect(
      scene.sinks.turns
        .filter(({ speaker }) => speaker === 'agent')
        .map(({ timings }) => timings !== undefined),
    ).toEqual([false, false, true]);
  });
});
