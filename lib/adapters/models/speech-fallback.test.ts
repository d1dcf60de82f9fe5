import { describe, expect, it } from 'vitest';
import { AppError } from '#lib/errors.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import { manualClock } from '#lib/ports/testing.ts';
import type { SynthesisRequest, SpeechSynthesizer } from '#lib/ports/speech.ts';
import { createSpeechWithFallback } from './speech-fallback.ts';

const failure = (kind: string) => new AppError('PROVIDER_FAILED', `it was ${kind}`, { details: { kind } });

function open(provide: (request: SynthesisRequest) => AsyncIterable<{ samples: Int16Array }>) {
  const clock = manualClock();
  const said: string[] = [];
  const failures: unknown[] = [];
  const fallbacks: string[] = [];
  const synthesizer = (
    name: string,
    voice: string,
    synthesize: SpeechSynthesizer['synthesize'],
  ): SpeechSynthesizer => ({
    voices: [{ id: voice, label: voice, language: 'en' }],
    synthesize(request) {
      said.push(`${name} ${request.voiceId}: ${request.text}`);
      return synthesize(request);
    },
  });
  const speech = createSpeechWithFallback({
    provider: synthesizer('provider', 'nova', provide),
    local: synthesizer('local', 'slt', async function* () {
      yield { samples: new Int16Array(160) };
    }),
    clock,
    onFailed: (error) => failures.push(error),
  });
  const say = (text: string, voiceId: string | null = null, language: string | null = null) =>
    collectSpeech(
      speech.synthesize({ text, voiceId, language, onFallback: (reason) => fallbacks.push(reason) }),
    );
  return { clock, speech, said, failures, fallbacks, say };
}

const failing = (kind: string, samples = 0) =>
  async function* () {
    if (samples > 0) yield { samples: new Int16Array(samples) };
    throw failure(kind);
  };

describe('speech of a provider with local voices behind it', () => {
  it('offers the voices of both, and speaks with the one that was chosen', async () => {
    const { speech, said, say } = open(async function* () {
      yield { samples: new Int16Array(320) };
    });
    expect(speech.voices.map(({ id }) => id)).toEqual(['nova', 'slt']);
    await say('One.', 'slt');
    await say('Two.', 'nova');
    await say('Three.', 'nobody');
    expect(said).toEqual(['local slt: One.', 'provider nova: Two.', 'provider nobody: Three.']);
  });

  it('lets a local voice say what the provider did not, tells why, and asks it again later', async () => {
    const { clock, said, failures, fallbacks, say } = open(failing('overloaded'));
    await say('One.', 'nova');
    await say('Two.', 'nova');
    expect(said).toEqual(['provider nova: One.', 'local null: One.', 'local null: Two.']);
    expect(fallbacks).toEqual(['it was overloaded', 'it was overloaded']);
    expect(failures).toHaveLength(1);
    await clock.advance(20_000);
    await say('Three.', 'nova');
    expect(said.slice(3)).toEqual(['provider nova: Three.', 'local null: Three.']);
  });

  it('leaves a provider alone for long whose key or model is refused', async () => {
    const { clock, said, say } = open(failing('bad_key'));
    await say('One.');
    await clock.advance(60_000);
    await say('Two.');
    expect(said).toEqual(['provider null: One.', 'local null: One.', 'local null: Two.']);
  });

  it('goes on with the word at which the provider broke off', async () => {
    const { said, say } = open(failing('broke_off', 16 * 700));
    await say('Your appointment is on Tuesday.');
    expect(said[1]).toBe('local null: appointment is on Tuesday.');
  });

  it('fails in another language than English, which the local voices do not speak', async () => {
    const { said, say } = open(failing('overloaded'));
    await expect(say('Guten Tag.', null, 'de-DE')).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    await expect(say('Guten Tag.', null, 'de-DE')).rejects.toMatchObject({ code: 'PROVIDER_FAILED' });
    expect(said).toEqual(['provider null: Guten Tag.', 'provider null: Guten Tag.']);
  });
});
