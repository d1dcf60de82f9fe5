import { afterAll, describe, expect, it } from 'vitest';
import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { openHeardLeg } from '#lib/engine/heard-leg.ts';
import { listen } from '#lib/engine/listening/listening.ts';
import { createMemorySinks, planForTest } from '#lib/engine/testing.ts';
import { type HeardPerson, PERSON_HEARD, type PersonManner } from '#lib/ports/simulated-person.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { createPlayedLeg, tellOfPlaying } from './played-person.ts';
import { runSimulated } from './testing.ts';

const speech = createFliteSpeech();
afterAll(() => speech.close());

type Calling = {
  script: string[];
  transcriber?: Transcriber;
  language?: string;
  manner?: PersonManner;
};

/** A call on which the person really speaks, and the agent has to listen. */
async function call({ script, transcriber, language = 'en-US', manner = 'patient' }: Calling) {
  const sinks = createMemorySinks();
  const listening = { hints: ['Berg'], language, isMultilingual: false, hasBargeIn: true };
  const person = {
    playedBy: 'script' as const,
    description: '',
    manner,
    script: script.map((say) => ({ say, when: null })),
    facts: [],
    closing: "That's all, thank you. Goodbye.",
  };
  const played = createPlayedLeg(
    { reference: 'heard', person, isInbound: true, hasSound: true, listening, voiceId: null },
    { speech, clock: systemClock, languageModel: undefined, transcriber },
  );
  if (!played.hearing) throw new Error('there is sound');
  const leg = openHeardLeg(played, { ...played.hearing, listening, listen });
  const result = await runSimulated({
    plan: planForTest({
      direction: 'INBOUND',
      prompt: { opening: 'Alpha Dental, this is Mia speaking, thank you for calling. How can I help you?' },
    }),
    leg,
    voices: speech.voices,
    sinks,
  });
  await tellOfPlaying(leg, { result, sinks });
  await sinks.flush();
  const human = sinks.turns.filter(({ speaker }) => speaker === 'human');
  const heard = sinks.events.find(({ type }) => type === PERSON_HEARD)?.data;
  return { sinks, human, heard: heard as HeardPerson | undefined };
}

/** Answers each question with the same words; `lengths` is how much sound it was given. */
function answering(text: string): Transcriber & { lengths: number[]; hints: string[] } {
  const lengths: number[] = [];
  const hints: string[] = [];
  return {
    model: 'ears',
    lengths,
    hints,
    open(options) {
      hints.push(...options.hints);
      return {
        begin() {
          let written = 0;
          return {
            write: (samples) => void (written += samples.filter((sample) => sample !== 0).length),
            async transcribe() {
              lengths.push(written);
              return { text };
            },
            end: () => undefined,
          };
        },
      };
    },
  };
}

describe('a played person who really speaks', () => {
  it('is found by voice activity, and without a transcription understood as they are written', async () => {
    const script = ['I would like an appointment, please. On next Tuesday at three.'];
    const { human, heard } = await call({ script });
    const words = human.map(({ text }) => text).join(' ');
    expect(words).toContain('I would like an appointment, please. On next Tuesday at three.');
    expect(heard?.model).toBeNull();
    const [line] = heard?.said ?? [];
    expect(line?.text).toBe(script[0]);
    // The same moment, found in the sound.
    expect(Math.abs((human[0]?.startedMs ?? 0) - (line?.startedMs ?? 0))).toBeLessThan(400);
  });

  it('is understood as the transcription understands them', async () => {
    const transcriber = answering('I want to buy a car.');
    const { human, heard } = await call({ script: ['How much is a check-up?'], transcriber });
    expect(human[0]?.text).toBe('I want to buy a car.');
    expect(heard?.model).toBe('ears');
    expect(heard?.said[0]?.text).toBe('How much is a check-up?');
    expect(transcriber.lengths[0]).toBeGreaterThan(8_000);
    expect(transcriber.hints).toEqual(['Berg']);
  });

  it('is asked to say again what nobody could understand', async () => {
    const broken: Transcriber = {
      model: 'ears',
      open: () => ({
        begin: () => ({
          write: () => undefined,
          transcribe: () => Promise.reject(new Error('no answer')),
          end: () => undefined,
        }),
      }),
    };
    const { sinks } = await call({ script: ['How much is a check-up?'], transcriber: broken });
    expect(sinks.transcript()).toMatch(/again|repeat|catch/i);
  });

  it('arrives as written where no voice speaks their language', async () => {
    const transcriber = answering('gibberish');
    const { human, heard } = await call({ script: ['Guten Tag.'], transcriber, language: 'de-DE' });
    expect(human[0]?.text).toBe('Guten Tag.');
    expect(heard?.model).toBeNull();
  });

  it('stops the agent by speaking', async () => {
    const { sinks } = await call({
      script: ['Sorry, I need to speak to somebody about my bill.'],
      manner: 'interrupts',
    });
    expect(sinks.turns[0]).toMatchObject({ speaker: 'agent', interrupted: true });
  });
});
