import { beforeAll, describe, expect, it } from 'vitest';
import { sayForTest } from '#lib/adapters/models/local/testing.ts';
import { atLevel, clicks, cough, mixed, music, noise, tone } from '#lib/media/testing.ts';
import type { SpeechEvent } from '#lib/ports/carrier.ts';
import { type Ear, hear, type Script } from './testing.ts';

const TEXTS = [
  'Yes.',
  'Okay.',
  'I would like to make an appointment',
  'for next Tuesday.',
  'and',
  'I was wondering, um',
  'four seven one',
  'three three two',
  'eight nine six five',
  'anna at example',
  'dot com',
  'Stop, wait.',
  'Hello, this is Alpha Dental.',
  'Please leave a message after the tone.',
] as const;
type Text = (typeof TEXTS)[number];
let said: Record<Text, Int16Array>;
beforeAll(async () => {
  said = await sayForTest(TEXTS);
});

const say = (text: Text, db = -22) => ({ sound: atLevel(said[text], db), text });
const types = (ear: Ear) => ear.events.map(({ type }) => type);
const texts = (ear: Ear) => ear.utterances().map(({ text }) => text);
const lengthMs = (...words: Text[]) => words.reduce((sum, text) => sum + said[text].length / 16, 0);
/** How long after the last word of a script the turn is over, as the engine would see it. */
function turnEndsMs(ear: Ear, endOfWordsMs: number): number {
  const index = ear.events.findLastIndex(({ type }) => type === 'utterance');
  const utterance = ear.utterances().at(-1);
  return (ear.knownAtMs[index] ?? 0) + (utterance?.endOfTurnMs ?? 0) - endOfWordsMs;
}
/** How long the turn takes to end after one utterance. */
async function waitAfter(text: Text, given: { asked?: string; language?: string; answer?: string } = {}) {
  const ear = await hear([1_000, say(text), 3_000], {
    ...(given.language ? { language: given.language } : {}),
    answering: () => (given.answer === undefined ? {} : { text: given.answer }),
    onFrame: (nowMs, listening) => {
      if (nowMs === 100 && given.asked) listening.agentSaid(given.asked);
    },
  });
  return turnEndsMs(ear, 1_000 + lengthMs(text));
}

describe('what was said', () => {
  it('comes as began, ended and words, with its times', async () => {
    const ear = await hear([1_000, say('Yes.'), 1_500]);
    expect(types(ear)).toEqual(['speech_started', 'speech_stopped', 'utterance']);
    const [utterance] = ear.utterances();
    expect(utterance?.text).toBe('Yes.');
    expect(Math.abs((utterance?.startedAtMs ?? 0) - 1_000)).toBeLessThan(100);
    expect(Math.abs((utterance?.endedAtMs ?? 0) - 1_000 - lengthMs('Yes.'))).toBeLessThan(130);
  });

  it('is heard although short and quiet, from its first sound on', async () => {
    const ear = await hear([1_000, say('Yes.', -38), 1_500]);
    expect(texts(ear)).toEqual(['Yes.']);
    // The word, what came before it and the silence in which it ended.
    expect(ear.questions[0]?.heardMs).toBeGreaterThan(lengthMs('Yes.') + 300);
  });

  it('is heard in a noisy street', async () => {
    const ear = await hear([2_000, say('Yes.'), 2_000, say('I would like to make an appointment'), 1_500], {
      background: (ms) => noise(ms, { db: -38 }),
    });
    expect(texts(ear)).toEqual(['Yes.', 'I would like to make an appointment']);
  });

  it('is one utterance with the pauses inside it, and the words of the first part are thrown away', async () => {
    const ear = await hear([
      1_000,
      say('I would like to make an appointment'),
      300,
      say('for next Tuesday.'),
      1_500,
    ]);
    expect(texts(ear)).toEqual(['I would like to make an appointment for next Tuesday.']);
    expect(ear.questions.map(({ isDropped }) => isDropped)).toEqual([true, false]);
    expect(types(ear)).toEqual([
      'speech_started',
      'speech_stopped',
      'speech_started',
      'speech_stopped',
      'utterance',
    ]);
  });

  it('is asked for at the first pause, not at the end of the turn', async () => {
    const ear = await hear([1_000, say('Yes.'), 1_500], { answering: () => ({ afterMs: 0 }) });
    expect((ear.knownAtMs.at(-1) ?? 0) - 1_000 - lengthMs('Yes.')).toBeLessThan(400);
  });

  it('is held while the person thinks in the middle of a sentence', async () => {
    const ear = await hear([1_000, say('I was wondering, um'), 1_400, say('for next Tuesday.'), 1_500]);
    expect(texts(ear)).toEqual(['I was wondering, um for next Tuesday.']);
  });

  it('reaches the transcription with hints, language and multilingual', async () => {
    const { openedWith } = await hear([100], { hints: ['Alpha Dental'], language: 'de-AT' });
    expect(openedWith).toMatchObject({ hints: ['Alpha Dental'], language: 'de-AT', isMultilingual: false });
    expect(openedWith?.signal.aborted).toBe(true);
  });
});

describe('what is no speech', () => {
  it.each([
    ['a cough', () => cough({ db: -20 })],
    ['a keyboard', () => clicks(3_000, { db: -28 })],
    ['music', () => music(6_000, { db: -24 })],
    ['noise', () => noise(6_000, { db: -28 })],
  ])('%s makes no event', async (_, sound) => {
    expect(types(await hear([500, { sound: sound() }, 1_000]))).toEqual([]);
  });

  it('a voice without words is reported as a noise at once, so that the agent goes on', async () => {
    const ear = await hear([1_000, say('Okay.'), 1_500], { answering: () => ({ text: '  ' }) });
    expect(ear.utterances()).toMatchObject([{ text: '', endOfTurnMs: 0 }]);
  });

  it('the echo of the agent does not interrupt it, a person does', async () => {
    const echo = { sound: atLevel(said['I would like to make an appointment'], -46) };
    const over = { onFrame: agentSpeaksFrom(500) };
    expect(types(await hear([1_000, echo, 1_500], over))).toEqual([]);
    expect(types(await hear([1_000, say('Stop, wait.'), 1_500], over))).toContain('speech_started');
  });

  it('a loud echo is known by the words that the agent just said', async () => {
    const ear = await hear([1_000, say('Hello, this is Alpha Dental.'), 1_500], {
      onFrame: (nowMs, listening) => {
        if (nowMs === 500) listening.agentSpeaking(true);
        if (nowMs === 500) listening.agentSaid('Hello, this is Alpha Dental. How may I help you?');
      },
    });
    expect(texts(ear)).toEqual(['']);
  });

  it('people in the background are quieter than the person who was heard', async () => {
    const script: Script = [
      1_000,
      say('Yes.', -18),
      2_000,
      { sound: atLevel(said['for next Tuesday.'], -47) },
      1_500,
    ];
    expect(texts(await hear(script))).toEqual(['Yes.']);
  });
});

function agentSpeaksFrom(ms: number) {
  return (nowMs: number, listening: { agentSpeaking(isSpeaking: boolean): void }) => {
    if (nowMs === ms) listening.agentSpeaking(true);
  };
}

describe('the end of a turn', () => {
  it('comes half a second after a whole sentence, with punctuation or without', async () => {
    expect(await waitAfter('for next Tuesday.')).toBeLessThan(560);
    expect(await waitAfter('for next Tuesday.', { answer: 'for next tuesday' })).toBeLessThan(640);
  });

  it.each([
    ['en-US', 'I was wondering um'],
    ['en-US', 'on Tuesday and'],
    ['de-DE', 'ich hätte gern einen Termin und'],
    ['fr-FR', 'je voudrais un rendez-vous parce que'],
    ['es-ES', 'quiero una cita pero'],
    ['it-IT', 'vorrei un appuntamento ehm'],
    ['pt-BR', 'queria marcar com o'],
    ['nl-NL', 'ik wil graag een afspraak omdat'],
    ['pl-PL', 'chcę umówić wizytę ale'],
    ['sv-SE', 'jag vill boka en tid men öh'],
    ['da-DK', 'jeg vil gerne have en tid fordi'],
    ['nb-NO', 'jeg vil bestille en time eller'],
    ['fi-FI', 'haluaisin varata ajan mutta'],
    ['cs-CZ', 'chtěl bych termín protože'],
    ['tr-TR', 'randevu almak istiyorum ama'],
    ['ru-RU', 'я хочу записаться но'],
    ['ja-JP', '予約したいんですけど'],
    ['zh-CN', '我要预约因为'],
  ])('waits for the rest in %s: "%s"', async (language, answer) => {
    expect(await waitAfter('Okay.', { language, answer })).toBeGreaterThan(1_500);
  });

  it('takes the language that was spoken where the transcription tells it', async () => {
    const ear = await hear([1_000, say('Okay.'), 3_000], {
      answering: () => ({ text: 'ich hätte gern einen Termin und', language: 'de' }),
    });
    expect(turnEndsMs(ear, 1_000 + lengthMs('Okay.'))).toBeGreaterThan(1_500);
  });

  it.each([
    ['a number', 'May I have your phone number?', 'four seven one', 1_300],
    ['an e-mail address', 'What is your e-mail address?', 'anna at example', 1_500],
    ['a name', 'Could you spell your last name?', 'S M', 1_200],
    ['a date', 'When were you born?', 'the fifth', 650],
    ['a number in German', 'Wie ist Ihre Telefonnummer?', 'null eins sieben', 1_300],
  ])('waits longer for %s', async (_, asked, answer, atLeastMs) => {
    const language = asked.startsWith('Wie') ? 'de' : 'en';
    expect(await waitAfter('Okay.', { asked, answer, language })).toBeGreaterThan(atLeastMs);
  });

  it('waits no longer once the number or the address is whole', async () => {
    const whole = { asked: 'May I have your phone number?', answer: '+1 555 010 0001' };
    expect(await waitAfter('Okay.', whole)).toBeLessThan(640);
    const address = { asked: 'What is your e-mail address?', answer: 'anna at example dot com' };
    expect(await waitAfter('Okay.', address)).toBeLessThan(640);
  });

  it('takes digits that are dictated slowly as one answer', async () => {
    const ear = await hear(
      [1_000, say('four seven one'), 900, say('three three two'), 900, say('eight nine six five'), 2_500],
      { onFrame: (nowMs, listening) => nowMs === 100 && listening.agentSaid('And your phone number?') },
    );
    expect(texts(ear)).toEqual(['four seven one three three two eight nine six five']);
  });

  it('comes later for somebody who pauses long, after a few of their pauses', async () => {
    const sentence: Script = [
      say('I would like to make an appointment'),
      650,
      say('for next Tuesday.'),
      3_200,
    ];
    const ear = await hear([1_000, ...sentence, ...sentence, ...sentence]);
    const waits = ear.utterances().flatMap(({ endOfTurnMs, endedAtMs }, index) => {
      const at = ear.events.indexOf(ear.utterances()[index] ?? ear.events[0]!);
      return [(ear.knownAtMs[at] ?? 0) + (endOfTurnMs ?? 0) - endedAtMs];
    });
    expect(waits[0]).toBeLessThan(450);
    expect(waits.at(-1)).toBeGreaterThan(550);
  });
});

describe('a transcription', () => {
  it('that is late is waited for', async () => {
    const ear = await hear([1_000, say('Yes.'), 4_000], { answering: () => ({ afterMs: 2_500 }) });
    expect(ear.utterances()).toMatchObject([{ text: 'Yes.', endOfTurnMs: 0 }]);
  });

  it('that fails once is asked for again', async () => {
    const ear = await hear([1_000, say('Yes.'), 2_000], {
      answering: (question) => (question === 0 ? { fails: true } : {}),
    });
    expect(texts(ear)).toEqual(['Yes.']);
  });

  it('that fails twice is reported with its reason, and the next words are heard', async () => {
    const ear = await hear([1_000, say('Yes.'), 2_000, say('Okay.'), 2_000], {
      answering: (question) => (question < 2 ? { fails: true } : {}),
    });
    expect(ear.events.find(({ type }) => type === 'transcription_failed')).toMatchObject({
      reason: 'The transcription server is not reachable.',
    });
    expect(texts(ear)).toEqual(['Okay.']);
  });

  it('that never comes is asked for once more, and given up within five seconds of silence', async () => {
    const ear = await hear([1_000, say('Yes.'), 6_000], { answering: () => ({ isSilent: true }) });
    const endedAtMs = 1_000 + lengthMs('Yes.');
    const after = (type: SpeechEvent['type']) => (ear.knownAtMs[types(ear).indexOf(type)] ?? 0) - endedAtMs;
    expect(ear.questions).toHaveLength(2);
    expect(types(ear).slice(2)).toEqual([
      'transcription_late',
      'transcription_retried',
      'transcription_failed',
    ]);
    expect(after('transcription_late')).toBeLessThan(1_300);
    expect(after('transcription_retried')).toBeLessThan(2_500);
    expect(after('transcription_failed')).toBeLessThan(4_700);
  });

  it('that hangs once is had from the second question, and the first is given up', async () => {
    const ear = await hear([1_000, say('Yes.'), 4_000], {
      answering: (question) => (question === 0 ? { isSilent: true } : {}),
    });
    expect(texts(ear)).toEqual(['Yes.']);
    expect(ear.questions.map(({ isDropped }) => isDropped)).toEqual([true, false]);
  });

  it('that takes three seconds counts, though it was asked for once more', async () => {
    const ear = await hear([1_000, say('Yes.'), 5_000], { answering: () => ({ afterMs: 3_000 }) });
    expect(texts(ear)).toEqual(['Yes.']);
    expect(ear.questions).toHaveLength(2);
  });

  it('is not asked for again where the key is refused', async () => {
    const ear = await hear([1_000, say('Yes.'), 2_000], { answering: () => ({ fails: 'bad_key' }) });
    expect(ear.questions).toHaveLength(1);
    expect(ear.events.at(-1)).toMatchObject({ type: 'transcription_failed', kind: 'bad_key' });
  });

  it('is late for each pause anew', async () => {
    const ear = await hear([1_000, say('Yes.'), 1_500, say('Okay.'), 1_500], {
      answering: () => ({ isSilent: true }),
    });
    expect(types(ear).filter((type) => type === 'transcription_late')).toHaveLength(2);
  });

  it('is taken back when the person goes on before it came, however late', async () => {
    const ear = await hear([1_000, say('Yes.'), 1_200, say('Okay.'), 2_500], {
      answering: (question) => ({ afterMs: question === 0 ? 2_000 : 100 }),
    });
    expect(texts(ear)).toEqual(['Yes. Okay.']);
  });
});

describe('a beep', () => {
  const beep = { sound: tone(500, { hz: 1_000, db: -15 }) };
  const greeting = (): Script => [500, say('Please leave a message after the tone.'), 700];

  it('after a greeting says that a message may be left', async () => {
    const ear = await hear([...greeting(), beep, 1_000]);
    expect(types(ear)).toEqual(['speech_started', 'speech_stopped', 'utterance', 'beep']);
    const endMs = 1_200 + lengthMs('Please leave a message after the tone.') + 500;
    expect(Math.abs((ear.events.at(-1) as { atMs: number }).atMs - endMs)).toBeLessThan(60);
  });

  it.each([
    ['a high one', () => tone(300, { hz: 1_900, db: -25 })],
    ['a low, quiet one', () => tone(400, { hz: 440, db: -38 })],
    ['a very short one', () => tone(190, { hz: 800, db: -20 })],
    ['one in noise', () => mixed(tone(500, { hz: 1_000, db: -20 }), noise(500, { db: -38 }))],
  ])('is %s too', async (_, sound) => {
    expect(types(await hear([...greeting(), { sound: sound() }, 1_000]))).toContain('beep');
  });

  it.each([
    ['speech', () => said['I would like to make an appointment']],
    ['music', () => music(5_000, { db: -22 })],
    [
      'the keys of a telephone',
      () => mixed(tone(300, { hz: 770, db: -20 }), tone(300, { hz: 1_336, db: -20 })),
    ],
    ['a click', () => tone(60, { hz: 1_000, db: -15 })],
    ['a line that was hung up', () => tone(8_000, { hz: 425, db: -15 })],
    ['a low hum', () => tone(500, { hz: 120, db: -15 })],
  ])('is not %s', async (_, sound) => {
    expect(types(await hear([...greeting(), { sound: sound() }, 1_000]))).not.toContain('beep');
  });

  it('before anybody spoke is the tone of the line', async () => {
    expect(types(await hear([500, beep, 1_000]))).toEqual([]);
  });
});
