import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { music } from '#lib/media/testing.ts';
import { openScene, prepareVoices, speechLike } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

const LONG = 'We are open from eight to six on Monday. On Tuesday we open at nine.';
const MINUTE_MS = 60_000;

describe('a person who puts the call on hold', () => {
  it('is not talked to, and hears the rest when they are back', async () => {
    const scene = await openScene({ model: () => LONG });
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.agentSays('We are open');
    await scene.wait(900);
    scene.farEnd.hold(true);
    await scene.wait(40);
    expect(scene.agentIsSpeaking()).toBe(false);
    const count = scene.said.length;
    await scene.wait(2 * MINUTE_MS);
    expect(scene.said).toHaveLength(count);
    scene.farEnd.hold(false);
    await scene.agentSays('On Tuesday');
    await scene.agentIsDone();
    const [first, ...rest] = scene.sinks.turns.filter(({ speaker }) => speaker === 'agent').slice(1);
    expect(first).toMatchObject({ interrupted: true, intendedText: LONG });
    expect([first, ...rest].map((turn) => turn?.text).join(' ')).toBe(LONG);
  });

  it('is not asked whether they are still there, and the call does not end for their silence', async () => {
    const scene = await openScene({ plan: { limits: { maxDurationMs: 30 * MINUTE_MS, silenceMs: 20_000 } } });
    await scene.agentIsDone();
    scene.farEnd.hold(true);
    await scene.wait(5 * MINUTE_MS);
    expect(scene.farEnd.isOver()).toBe(false);
    expect(scene.said).toHaveLength(2);
    scene.farEnd.hold(false);
    await scene.wait(11_000);
    expect(scene.said).toHaveLength(3);
    expect(scene.history('call_held')).toHaveLength(1);
    expect(scene.history('call_resumed')).toHaveLength(1);
  });

  it('lets music play that nobody takes for words', async () => {
    const understood: string[] = [];
    const scene = await openScene({
      understands: (_, text) => {
        understood.push(text);
        return {};
      },
    });
    await scene.agentIsDone();
    scene.farEnd.hold(true);
    await scene.wait(100);
    scene.sounds(speechLike('Your call is important to us, please stay on the line.'));
    scene.sounds(music(8_000, { db: -20 }));
    await scene.wait(20_000);
    expect(understood).toEqual([]);
    scene.farEnd.hold(false);
    await scene.says('Yes, I am here again.');
    await scene.agentSays('I see.');
  });

  it('gets the answer to what they said last once they are back', async () => {
    const scene = await openScene({ model: () => ({ afterMs: 1_500, text: LONG }) });
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.wait(1_000);
    scene.farEnd.hold(true);
    await scene.wait(10_000);
    expect(scene.lines().filter((line) => line.startsWith('agent'))).toHaveLength(1);
    scene.farEnd.hold(false);
    await scene.agentSays('We are open');
  });

  it('and forgets it is hung up on after ten minutes', async () => {
    const scene = await openScene({ plan: { limits: { maxDurationMs: 30 * MINUTE_MS, silenceMs: 20_000 } } });
    await scene.agentIsDone();
    scene.farEnd.hold(true);
    await scene.wait(9.9 * MINUTE_MS);
    expect(scene.farEnd.isOver()).toBe(false);
    await scene.wait(0.2 * MINUTE_MS);
    const result = await scene.over();
    expect(result).toMatchObject({
      endedBy: 'limit',
      endReason: 'The person put the call on hold and did not come back.',
    });
  });
});
