import OpenAI from 'openai';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import { fetchInTrace } from '#lib/trace/outgoing.ts';
import { asProviderFailure, BrokenAnswer } from './failure.ts';
import { createPcmReader } from './speech-pcm.ts';

/** A person waits in silence: what has not begun to sound by then is spoken by another voice. */
const FIRST_SOUND_MS = 3_000;
/** The longest pause in the middle of an answer; what was sent until then is played meanwhile. */
const STALL_MS = 3_000;
/** What a text without a word sounds like. */
const SILENCE_MS = 200;

/** Of OpenAI; other servers name theirs in SPEECH_VOICES. All of them speak many languages. */
export const OPENAI_VOICES = [
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'fable',
  'nova',
  'onyx',
  'sage',
  'shimmer',
  'verse',
  'marin',
  'cedar',
] as const;

export type OpenAiSpeechOptions = {
  apiKey: string;
  /** Of a compatible server, with its `/v1`; undefined = OpenAI. */
  baseUrl: string | undefined;
  model: string;
  /** Names of the server's voices, the first one the default. */
  voices: readonly string[];
  /** For tests. */
  limits?: { firstSoundMs: number; stallMs: number };
};

/**
 * `POST /v1/audio/speech` of OpenAI or any compatible server, streamed as PCM. Nothing is retried, least of all after a
 * server's `Retry-After`: whoever asked has another voice.
 */
export function createOpenAiSpeech(options: OpenAiSpeechOptions): SpeechSynthesizer {
  const { model, limits = { firstSoundMs: FIRST_SOUND_MS, stallMs: STALL_MS } } = options;
  const [firstVoice = OPENAI_VOICES[0]] = options.voices;
  const client = new OpenAI({
    fetch: fetchInTrace,
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    maxRetries: 0,
    // The SDK would write what it could not parse to the console: parts of people's calls.
    logLevel: 'off',
  });

  async function* synthesize(request: Parameters<SpeechSynthesizer['synthesize']>[0]) {
    const { text, voiceId, signal } = request;
    signal?.throwIfAborted();
    if (!/[\p{L}\p{N}]/u.test(text)) {
      // Servers refuse a text without a word.
      yield { samples: new Int16Array(SILENCE_MS * SAMPLES_PER_MS) };
      return;
    }
    const watch = createWatch(signal);
    const voice = options.voices.find((known) => known === voiceId) ?? firstVoice;
    const reader = createPcmReader();
    let hasSound = false;
    try {
      watch.expect(limits.firstSoundMs);
      const answer = await client.audio.speech.create(
        { model, voice, input: text, response_format: 'pcm' },
        { signal: watch.signal },
      );
      for await (const bytes of answer.body ?? []) {
        watch.stop();
        const samples = reader.read(bytes);
        hasSound ||= samples.length > 0;
        if (samples.length > 0) yield { samples };
        watch.expect(hasSound ? limits.stallMs : limits.firstSoundMs);
      }
      const samples = reader.end();
      if (samples.length > 0) yield { samples };
      if (!hasSound && samples.length === 0) throw new BrokenAnswer('broke_off', 'no sound came');
    } catch (error) {
      throw asProviderFailure('The speech model', watch.problem() ?? error, signal);
    } finally {
      watch.stop();
    }
  }

  return {
    voices: options.voices.map((voice) => ({
      id: voice,
      label: voice.charAt(0).toUpperCase() + voice.slice(1),
      language: 'multilingual',
    })),
    synthesize,
  };
}

/** Aborts when what is expected does not come in time, or when `outer` does. */
function createWatch(outer: AbortSignal | undefined) {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const stop = () => clearTimeout(timer);
  return {
    signal: outer ? AbortSignal.any([outer, late.signal]) : late.signal,
    stop,
    expect(withinMs: number) {
      stop();
      timer = setTimeout(
        () => late.abort(new BrokenAnswer('timed_out', `nothing came for ${withinMs} ms`)),
        withinMs,
      );
    },
    problem: (): unknown => (late.signal.aborted ? late.signal.reason : undefined),
  };
}
