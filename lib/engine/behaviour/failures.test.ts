import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { openScene, prepareVoices, type SceneOptions } from './testing.ts';

beforeAll(() => prepareVoices(sayForTest));

/** The person has asked something; gives when. */
async function asking(options: SceneOptions) {
  const scene = await openScene(options);
  await scene.agentIsDone();
  await scene.wait(300);
  await scene.says('I need an appointment.');
  return { scene, endedAtMs: scene.clock.nowMs() };
}
const saidAfter = (scene: { said: { startedAtMs: number | undefined }[] }, atMs: number) =>
  (scene.said.find(({ startedAtMs }) => (startedAtMs ?? 0) > atMs)?.startedAtMs ?? Number.NaN) - atMs;

describe('a transcription', () => {
  it('that comes late is answered when it comes', async () => {
    const { scene } = await asking({ understands: () => ({ afterMs: 1_500 }) });
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['I need an appointment.']);
  });

  it('of half a sentence is thrown away when the person goes on', async () => {
    const scene = await openScene({ understands: (_, text) => ({ afterMs: 400, text }) });
    await scene.agentIsDone();
    await scene.says('I would like to make an appointment');
    await scene.wait(300);
    await scene.says('for next Tuesday.');
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['I would like to make an appointment for next Tuesday.']);
  });

  it('that fails once is asked again', async () => {
    const { scene } = await asking({ understands: (question) => ({ fails: question === 0 }) });
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['I need an appointment.']);
    expect(scene.history('transcription_failed')).toEqual([]);
  });

  it('that keeps failing is told in the history, and the agent asks for it again', async () => {
    const { scene } = await asking({ understands: (question) => ({ fails: question < 2 }) });
    await scene.agentSays('Could you say that again');
    expect(scene.history('transcription_failed')).toHaveLength(1);
    await scene.says('Can you hear me now?');
    await scene.agentSays('I see');
    expect(scene.asked).toEqual(['Can you hear me now?']);
  });

  it('that hangs is given up, and the call goes on', async () => {
    const { scene } = await asking({ understands: (question) => ({ hangs: question < 2 }) });
    await scene.agentSays('Could you say that again');
    expect(scene.history('transcription_failed').length).toBeGreaterThan(0);
    await scene.says('Can you hear me now?');
    await scene.agentSays('I see');
    expect(scene.asked.at(-1)).toBe('Can you hear me now?');
  });

  it('that hangs is no silence: words fill it after 1.2 s, and the question comes before five', async () => {
    const { scene, endedAtMs } = await asking({ understands: () => ({ hangs: true }) });
    await scene.agentSays('One moment');
    expect(saidAfter(scene, endedAtMs)).toBeLessThan(1_500);
    await scene.agentSays('I lost the thread');
    expect(scene.clock.nowMs() - endedAtMs).toBeLessThan(5_000);
    const reason = 'The transcription did not answer in time.';
    expect(scene.history('transcription_retried')).toMatchObject([{ reason, kind: 'timed_out' }]);
    expect(scene.history('transcription_failed')).toEqual([{ model: 'scripted', kind: 'timed_out', reason }]);
  });

  it('that hangs once is answered from the second question, within three seconds', async () => {
    const { scene, endedAtMs } = await asking({ understands: (question) => ({ hangs: question === 0 }) });
    await scene.agentSays('I see');
    expect((scene.said.at(-1)?.startedAtMs ?? 0) - endedAtMs).toBeLessThan(3_500);
    expect(scene.asked).toEqual(['I need an appointment.']);
    expect(scene.history('transcription_failed')).toEqual([]);
  });

  it('that fails is no loss where another model hears the same', async () => {
    const { scene, endedAtMs } = await asking({
      understands: () => ({ fails: 'no_such_model' }),
      otherUnderstands: () => ({}),
    });
    await scene.agentSays('I see');
    expect((scene.said.at(-1)?.startedAtMs ?? 0) - endedAtMs).toBeLessThan(1_500);
    expect(scene.asked).toEqual(['I need an appointment.']);
    expect(scene.history('transcription_failed')).toEqual([]);
    expect(scene.history('transcription_retried')).toMatchObject([
      { model: 'scripted', kind: 'no_such_model' },
    ]);
  });

  it('that hangs is answered by the other model, which is asked after two seconds', async () => {
    const { scene, endedAtMs } = await asking({
      understands: () => ({ hangs: true }),
      otherUnderstands: () => ({}),
    });
    await scene.agentSays('I see');
    expect((scene.said.at(-1)?.startedAtMs ?? 0) - endedAtMs).toBeLessThan(3_500);
    expect(scene.asked).toEqual(['I need an appointment.']);
    expect(scene.history('transcription_failed')).toEqual([]);
  });

  it('that fails with both models is told with the one that failed last', async () => {
    const { scene } = await asking({
      understands: () => ({ fails: true }),
      otherUnderstands: () => ({ fails: 'overloaded' }),
    });
    await scene.agentSays('Could you say that again');
    expect(scene.history('transcription_failed')).toMatchObject([{ model: 'other', kind: 'overloaded' }]);
  });

  it('that is late is filled once, though the model is slow as well', async () => {
    const { scene } = await asking({
      understands: () => ({ afterMs: 1_800 }),
      model: () => ({ afterMs: 2_000, text: 'Here I am.' }),
    });
    await scene.agentSays('Here I am');
    await scene.agentIsDone();
    expect(scene.said.filter(({ text }) => text.startsWith('One moment'))).toHaveLength(1);
  });

  it('that hangs over an interruption lets the agent go on where it was cut', async () => {
    const long = 'We are open from eight to six on Monday. On Tuesday we open at nine.';
    const scene = await openScene({
      model: () => long,
      understands: (question) => ({ hangs: question > 0 }),
    });
    await scene.agentIsDone();
    await scene.says('When are you open?');
    await scene.agentSays('We are open');
    await scene.wait(800);
    await scene.says('And how about the day after that?');
    await scene.agentSays('One moment');
    await scene.agentSays('On Tuesday');
    await scene.agentIsDone();
    const said = scene.sinks.turns.filter(({ speaker }) => speaker === 'agent').slice(1);
    expect(
      said
        .map(({ text }) => text)
        .filter((text) => !text.startsWith('One moment'))
        .join(' '),
    ).toBe(long);
  });

  it('that hangs until the person hangs up is told in the reason of the end', async () => {
    const { scene } = await asking({ understands: () => ({ hangs: true }) });
    await scene.wait(3_000);
    scene.farEnd.hangUp();
    const { endReason } = await scene.over();
    expect(endReason).toBe('The person hung up. What they said last could not be turned into words.');
  });

  it('that stays dead ends the call with an apology, and the reason is told', async () => {
    const { scene } = await asking({ understands: () => ({ hangs: true }) });
    for (const words of ['Hello, can you hear me?', 'I need an appointment.']) {
      await scene.agentSays('Could you say that again');
      await scene.agentIsDone();
      await scene.says(words);
    }
    await scene.agentSays('technical difficulties');
    const { endReason } = await scene.over();
    expect(endReason).toBe('The agent could not go on: what was said could not be turned into words.');
    expect(scene.history('transcription_failed')).toHaveLength(3);
  });

  it('that stays dead hands the person over where that is set', async () => {
    const { scene } = await asking({
      plan: { transferNumber: '+15550142000' },
      understands: () => ({ fails: 'bad_key' }),
      transfer: async () => ({ ok: true }),
    });
    await scene.agentSays('connecting you with a colleague');
    const { endReason } = await scene.over();
    expect(endReason).toBe(
      'The agent could not go on and transferred the call: what was said could not be turned into words.',
    );
  });

  it('whose key is refused is asked once, and nobody is asked to say it again', async () => {
    const { scene, endedAtMs } = await asking({ understands: () => ({ fails: 'bad_key' }) });
    await scene.agentSays('technical difficulties');
    expect(saidAfter(scene, endedAtMs)).toBeLessThan(1_500);
    expect(scene.history('transcription_failed')).toMatchObject([{ kind: 'bad_key' }]);
    await scene.over();
  });

  it('of which a word is known late says nothing to a noise that was none', async () => {
    const { scene } = await asking({ understands: () => ({ text: '', afterMs: 700 }) });
    await scene.wait(3_000);
    expect(scene.said.filter(({ text }) => text.startsWith('One moment'))).toEqual([]);
    scene.farEnd.hangUp();
    await scene.over();
  });
});

describe('a model', () => {
  it('that fails once is asked again, within two seconds', async () => {
    const { scene, endedAtMs } = await asking({
      model: (_, turn) => (turn === 0 ? { fails: 'overloaded' } : 'Here I am.'),
    });
    await scene.agentSays('Here I am');
    expect(saidAfter(scene, endedAtMs)).toBeLessThan(2_000);
    expect(scene.history('model_failed')).toHaveLength(1);
  });

  it('that cannot be reached leaves the answer to the other one', async () => {
    const { scene, endedAtMs } = await asking({
      model: () => ({ fails: 'no_connection' }),
      fallbackModel: () => 'The other one speaks.',
    });
    await scene.agentSays('The other one');
    expect(saidAfter(scene, endedAtMs)).toBeLessThan(2_500);
  });

  it('that hangs is joined by the other one before five seconds of silence', async () => {
    const { scene, endedAtMs } = await asking({
      model: () => ({ hangs: true }),
      fallbackModel: () => 'The other one speaks.',
    });
    expect(endedAtMs).toBeGreaterThan(0);
    await scene.agentSays('The other one');
    const last = scene.said.find(({ text }) => text.startsWith('The other one'));
    expect((last?.startedAtMs ?? 0) - endedAtMs).toBeLessThan(8_000);
  });

  it('that never answers ends the call with an apology', async () => {
    const { scene } = await asking({ model: () => ({ fails: 'overloaded' }) });
    await scene.agentSays('technical difficulties');
    const result = await scene.over();
    expect(result.endReason).toBe('The agent could not go on: the language model was overloaded.');
    expect(scene.history('model_failed').length).toBeGreaterThan(1);
  });

  it('whose key is refused is not asked twice', async () => {
    const { scene } = await asking({ model: () => ({ fails: 'bad_key' }) });
    await scene.agentSays('technical difficulties');
    await scene.over();
    expect(scene.asked).toHaveLength(1);
  });

  it('that breaks off in the middle is asked to go on, and whole sentences are heard', async () => {
    const { scene } = await asking({
      model: (_, turn) =>
        turn === 0 ? { text: 'We have Tuesday. And we also', breaksOff: true } : 'And we have Friday.',
    });
    await scene.agentSays('And we have Friday');
    await scene.agentIsDone();
    expect(scene.lines().at(-1)).toBe('agent: We have Tuesday. And we have Friday.');
  });

  it('that says nothing is covered up once', async () => {
    const { scene } = await asking({ model: () => ({ text: '' }) });
    await scene.agentSays(/again/);
    expect(scene.farEnd.isOver()).toBe(false);
  });

  it('whose answer is withheld says that it cannot help', async () => {
    const { scene } = await asking({ model: () => ({ text: '', finish: 'filtered' }) });
    await scene.agentSays("can't help you with that");
  });

  it('that takes long between its words is heard sentence by sentence', async () => {
    const { scene } = await asking({
      model: () => ({ everyMs: 300, text: 'One is here. Then there is the second one of them.' }),
    });
    await scene.agentSays('One is here');
    const first = scene.clock.nowMs();
    await scene.agentSays('Then there');
    expect(scene.clock.nowMs() - first).toBeGreaterThan(1_000);
    await scene.agentIsDone();
    expect(scene.lines().at(-1)).toBe('agent: One is here. Then there is the second one of them.');
  });
});

describe('a voice', () => {
  it('that is slow is waited for', async () => {
    const { scene } = await asking({ voice: (count) => (count > 1 ? { afterMs: 1_200 } : {}) });
    await scene.agentSays('I see');
    await scene.agentIsDone();
    expect(scene.lines().at(-1)).toBe('agent: I see.');
  });

  it('that stutters is heard whole', async () => {
    const { scene } = await asking({
      model: () => 'This sentence is made more slowly than it is heard.',
      voice: (count) => (count > 1 ? { stallsMs: 350 } : {}),
    });
    await scene.agentSays('This sentence');
    await scene.agentIsDone();
    expect(scene.sinks.turns.at(-1)).toMatchObject({
      text: 'This sentence is made more slowly than it is heard.',
      interrupted: false,
    });
  });

  it('that fails ends the call, as nobody would hear why', async () => {
    const { scene } = await asking({ voice: (count) => (count > 1 ? { fails: true } : {}) });
    const result = await scene.over();
    expect(result.endReason).toBe('The agent could not go on: its words could not be spoken.');
  });

  it('that fails in the middle of an answer leaves in the transcript what was heard of it', async () => {
    const { scene } = await asking({
      model: () => 'We have Tuesday. We also have Friday.',
      voice: (_, text) => ({ fails: text.includes('Friday') }),
    });
    await scene.over();
    expect(scene.sinks.turns.find(({ text }) => text === 'We have Tuesday.')).toMatchObject({
      interrupted: true,
      intendedText: 'We have Tuesday. We also have Friday.',
    });
  });

  it('that hangs ends the call within seconds', async () => {
    const { scene, endedAtMs } = await asking({ voice: (count) => (count > 1 ? { hangs: true } : {}) });
    const result = await scene.over();
    expect(result.endReason).toContain('could not be spoken');
    expect(scene.clock.nowMs() - endedAtMs).toBeLessThan(25_000);
  });

  it('that fails in the opening ends the call', async () => {
    const scene = await openScene({ voice: () => ({ fails: true }) });
    const result = await scene.over();
    expect(result.endReason).toBe('The agent could not go on: its words could not be spoken.');
  });
});

describe('a store', () => {
  it('that is slow does not keep the person waiting', async () => {
    const { scene, endedAtMs } = await asking({
      sinks: { store: () => new Promise((resolve) => setTimeout(resolve, 30)) },
    });
    await scene.agentSays('I see');
    expect(saidAfter(scene, endedAtMs)).toBeLessThan(1_200);
  });

  it('that fails ends the call, and the failure is told', async () => {
    const scene = await openScene({
      sinks: {
        store: async (what) => (what === 'turn' ? Promise.reject(new Error('the disk is full')) : undefined),
      },
    });
    await scene.agentIsDone();
    await scene.wait(1_000);
    await expect(scene.over()).rejects.toThrow('the disk is full');
  });
});
