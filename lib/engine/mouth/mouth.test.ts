import { describe, expect, it } from 'vitest';
import { createTestCallClock } from '#lib/ports/call-clock-testing.ts';
import { createFakeMedia } from '#lib/ports/media-testing.ts';
import type { SpeechChunk, SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createMouth } from './mouth.ts';

const tone = (ms: number, level = 8_000) => new Int16Array(ms * 16).fill(level);
const silence = (ms: number) => new Int16Array(ms * 16);

type Making = (request: { text: string; signal?: AbortSignal }) => AsyncIterable<SpeechChunk>;

/** 50 ms of sound per character, whole at once. */
const plain: Making = async function* ({ text }) {
  yield { samples: tone(text.length * 50) };
};

function open(making: Making = plain) {
  const clock = createTestCallClock();
  const { media, farEnd } = createFakeMedia(clock);
  const begun: string[] = [];
  const speech: Pick<SpeechSynthesizer, 'synthesize'> = {
    synthesize(request) {
      begun.push(request.text);
      return making(request);
    },
  };
  const mouth = createMouth({ media, clock, speech });
  const said: { heard: string; unheard: string; startedAtMs: number; endedAtMs: number; heardMs: number }[] =
    [];
  const problems: unknown[] = [];
  const speak = (text: string) => {
    const speaking = mouth.speak({ text, voiceId: null, language: null });
    speaking.finished.then(
      (end) => said.push(end),
      (error: unknown) => problems.push(error),
    );
    return speaking;
  };
  /** From when to when something sounded. */
  const sounds = () => stretches(farEnd.heard());
  return { clock, farEnd, mouth, speak, said, problems, begun, sounds };
}

function stretches(samples: Int16Array): [number, number][] {
  const found: [number, number][] = [];
  for (let index = 0; index < samples.length; index += 1) {
    if (samples[index] === 0) continue;
    const atMs = index / 16;
    const last = found.at(-1);
    if (last && atMs - last[1] <= 0.0625) last[1] = atMs + 0.0625;
    else found.push([atMs, atMs + 0.0625]);
  }
  return found.map(([from, to]) => [Math.round(from), Math.round(to)]);
}

describe('the mouth', () => {
  it('plays the first sound before the rest of it is made', async () => {
    const { clock, speak, sounds } = open(async function* () {
      yield { samples: tone(100) };
      await clock.sleep(60);
      yield { samples: tone(500) };
    });
    const speaking = speak('One two.');
    await clock.pass(30);
    expect(await speaking.started).toBe(5);
    await clock.pass(1_000);
    expect(sounds()).toEqual([[5, 605]]);
  });

  it('tells when a text began, when it ended and how much of it was heard', async () => {
    const { clock, speak, said } = open();
    speak('1234567890');
    await clock.pass(2_000);
    expect(said).toEqual([
      {
        heard: '1234567890',
        unheard: '',
        startedAtMs: 5,
        endedAtMs: 505,
        heardMs: 500,
        wordStartsMs: [0],
      },
    ]);
  });

  it('leaves a pause between sentences, of which the silence of the voice itself is a part', async () => {
    const { clock, speak, sounds } = open(async function* ({ text }) {
      yield { samples: tone(200) };
      if (text.startsWith('Slow')) yield { samples: silence(150) };
    });
    for (const text of ['Slow.', 'Next.', 'Then,', 'end']) speak(text);
    await clock.pass(3_000);
    const found = sounds();
    // The edges of a sound are soft.
    const pauses = found.slice(1).map(([from], index) => Math.round((from - (found[index]?.[1] ?? 0)) / 10));
    expect(pauses).toEqual([22, 22, 12]);
  });

  it('cuts the silence with which a voice begins', async () => {
    const { clock, speak, sounds, said } = open(async function* () {
      yield { samples: silence(100) };
      yield { samples: Int16Array.from([...silence(150), ...tone(100)]) };
    });
    speak('Hi.');
    await clock.pass(1_000);
    expect(sounds()).toEqual([[35, 135]]);
    expect(said[0]?.heardMs).toBe(130);
  });

  it('makes at most two texts ahead of the one that is heard', async () => {
    const { clock, speak, begun } = open();
    for (let index = 0; index < 6; index += 1) speak(`Number ${index}.`);
    await clock.pass(50);
    expect(begun).toEqual(['Number 0.', 'Number 1.', 'Number 2.']);
    await clock.pass(500);
    expect(begun).toHaveLength(4);
    await clock.pass(6_000);
    expect(begun).toHaveLength(6);
  });

  it('falls silent within a frame when it is stopped, and tells what was heard by whole words', async () => {
    const { clock, mouth, speak, said, sounds } = open();
    speak('Hello there, my dear friend.');
    speak('How are you?');
    await clock.pass(700);
    mouth.stopSpeaking();
    await clock.pass(500);
    expect(sounds()).toEqual([[5, 705]]);
    expect(said).toMatchObject([
      { heard: 'Hello there,', unheard: 'my dear friend.', startedAtMs: 5, endedAtMs: 700, heardMs: 695 },
      { heard: '', unheard: 'How are you?', startedAtMs: 700, endedAtMs: 700, heardMs: 0 },
    ]);
  });

  it('cuts at the words of the synthesizer where it tells their times', async () => {
    const { clock, mouth, speak, said } = open(async function* () {
      yield {
        samples: Int16Array.from([...silence(230), ...tone(1_000)]),
        words: [
          { text: 'Room', startMs: 230, endMs: 400 },
          { text: 'two', startMs: 400, endMs: 800 },
          { text: 'please', startMs: 800, endMs: 1_230 },
        ],
      };
    });
    speak('Room 2, please.');
    await clock.pass(650);
    mouth.stopSpeaking();
    await clock.pass(20);
    expect(said[0]).toMatchObject({ heard: 'Room', unheard: '2, please.' });
  });

  it('reckons what was heard of speech that was not all made by the pace of what it said before', async () => {
    const { clock, mouth, speak, said } = open(async function* ({ text }) {
      yield { samples: tone(400) };
      if (text.startsWith('Long')) await clock.sleep(60_000);
      yield { samples: tone(400) };
    });
    speak('aaaaaa bbbbbb cc');
    await clock.pass(1_000);
    speak('Long aa bbb cccccc dddddd eeeeee ffffff gggggg');
    await clock.pass(450);
    mouth.stopSpeaking();
    await clock.pass(20);
    expect(said[1]?.heard).toBe('Long aa');
  });

  it('speaks anew at once after it was stopped, and mixes nothing up', async () => {
    const { clock, mouth, speak, said } = open();
    speak('The first of them.');
    await clock.pass(310);
    mouth.stopSpeaking();
    const second = speak('Second.');
    await clock.pass(1_000);
    expect(said[1]).toMatchObject({ heard: 'Second.', unheard: '', heardMs: 350 });
    expect(await second.started).toBeGreaterThanOrEqual(310);
    expect(await second.started).toBeLessThanOrEqual(345);
  });

  it('gives up the making of what was cut', async () => {
    const aborted: string[] = [];
    const { clock, mouth, speak } = open(async function* ({ text, signal }) {
      signal?.addEventListener('abort', () => aborted.push(text));
      await clock.sleep(10_000, signal);
      yield { samples: tone(100) };
    });
    speak('One.');
    speak('Two.');
    await clock.pass(100);
    mouth.stopSpeaking();
    expect(aborted).toEqual(['One.', 'Two.']);
  });

  it('tells what could not be spoken, and goes on with what comes after it', async () => {
    const { clock, speak, said, problems } = open(async function* ({ text }) {
      if (text === 'Bad.') throw new Error('no voice');
      yield { samples: tone(200) };
    });
    speak('Good.');
    const bad = speak('Bad.');
    speak('Better.');
    await clock.pass(2_000);
    expect(said.map((end) => end.heard)).toEqual(['Good.', 'Better.']);
    expect(problems).toEqual([new Error('no voice')]);
    expect(await bad.started).toBeUndefined();
  });

  it('gives up a voice that leaves the person in silence, not one that is only early', async () => {
    const { clock, speak, said, problems } = open(async function* ({ text, signal }) {
      if (text === 'Hangs.') await clock.sleep(60_000, signal);
      // Needed after the first one only.
      if (text === 'Late.') await clock.sleep(8_000);
      yield { samples: tone(text === 'First.' ? 7_000 : 200) };
    });
    speak('First.');
    speak('Late.');
    const hanging = speak('Hangs.');
    await clock.pass(20_000);
    expect(said.map((end) => end.heard)).toEqual(['First.', 'Late.']);
    expect(problems).toMatchObject([{ code: 'PROVIDER_FAILED' }]);
    expect(await hanging.started).toBeUndefined();
  });

  it('settles everything when the far end hangs up', async () => {
    const { clock, farEnd, speak, said } = open();
    speak('Nobody hears the end of this.');
    const last = speak('Nor this.');
    await clock.pass(500);
    farEnd.hangUp();
    await clock.pass(20);
    expect(said.map((end) => end.heard)).toEqual(['Nobody', '']);
    expect(await last.started).toBeUndefined();
    speak('Or that.');
    await clock.pass(20);
    expect(said[2]).toMatchObject({ heard: '', unheard: 'Or that.' });
  });
});
