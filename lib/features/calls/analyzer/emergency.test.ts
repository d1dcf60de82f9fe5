import { describe, expect, it } from 'vitest';
import { createLogger } from '#lib/log.ts';
import { analyzeCall } from './analyze.ts';
import { call, type Line, model } from './testing.ts';

const log = createLogger('silent');
const CALLBACK = { callback: { spoken: 'tomorrow' } };

const linesOf = (told: string): Line[] => [
  ['agent', 'Praxis Dr. Lind, this is Mia. How can I help you?'],
  ['human', told],
  ['agent', 'I am sorry to hear that. Shall somebody call you back?'],
  ['human', 'Yes, my number is 555 0100.'],
  ['agent', 'We will call you back tomorrow. Goodbye.'],
];

describe('an emergency that was told on a call', () => {
  it.each([
    'I have terrible pain, my gum is bleeding.',
    'Ich habe starke Schmerzen.',
    'Il y a une fuite de gaz.',
    'Hay un incendio en la cocina.',
    'Mio figlio non respira.',
    'Krwawię i nie mogę tego zatrzymać.',
    'Täällä haisee kaasulta.',
    'Dişim çok ağrıyor.',
    'He has a knife and he is threatening us.',
  ])('needs action, and is the first that its summary and tags tell: %s', async (told) => {
    const analysis = await analyzeCall(call(linesOf(told), CALLBACK), { languageModel: undefined, log });
    expect(analysis.tags).toEqual(['action_needed', 'callback_scheduled']);
    expect(analysis.summary).toMatch(/^Urgent: they said "/);
    expect(analysis.summary).toContain(told.replace(/\.$/, ''));
    expect(analysis.summary).toContain('called back');
  });

  it('is told where a model forgot it', async () => {
    const answer = {
      summary: 'The caller asked to be called back.',
      sentiment: 'NEUTRAL',
      tags: ['callback_scheduled'],
      evidence: [],
      disposition: 'SCHEDULED_CALLBACK',
    };
    const deps = { languageModel: model(answer), log };
    const analysis = await analyzeCall(call(linesOf('My gum is bleeding badly.'), CALLBACK), deps);
    expect(analysis).toMatchObject({
      by: 'model',
      tags: ['action_needed', 'callback_scheduled'],
      summary: 'Urgent: they said "My gum is bleeding badly". The caller asked to be called back.',
    });
  });

  it('is none where it is only asked about, and none of a voicemail', async () => {
    const analyze = (told: string, outcome = {}) =>
      analyzeCall(call(linesOf(told), outcome), { languageModel: undefined, log });
    expect((await analyze('Does whitening hurt?', CALLBACK)).tags).toEqual(['callback_scheduled']);
    const machine = await analyze('Leave a message. In an emergency call 911. It is burning.', {
      voicemail: 'message_left',
    });
    expect(machine.tags).toEqual(['voicemail']);
  });

  it('was heard by the colleague to whom the call was handed over', async () => {
    const analysis = await analyzeCall(
      call(linesOf('I am in terrible pain.'), { transferredTo: '+15550100' }),
      {
        languageModel: undefined,
        log,
      },
    );
    expect(analysis.tags).toEqual(['transferred']);
    expect(analysis.summary).toMatch(/^Urgent: /);
  });
});
