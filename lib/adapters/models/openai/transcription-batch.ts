import OpenAI, { toFile } from 'openai';
import { littleEndian, wavHeader } from '#lib/media/wav.ts';
import { createGatheredSamples } from '#lib/media/samples.ts';
import type { ListeningOptions } from '#lib/ports/speech.ts';
import type { SpeechStretch, Transcriber, Transcription } from '#lib/ports/transcription.ts';
import { fetchInTrace } from '#lib/trace/outgoing.ts';
import { asProviderFailure, BrokenAnswer } from './failure.ts';
import { expectations, type OpenAiTranscriptionOptions, spokenWords } from './transcription-options.ts';

/** Models that tell when each word was said; servers that do not know the question refuse it. */
const TELLS_WORD_TIMES = /whisper/i;
const NOT_UNDERSTOOD = new Set([400, 404, 422]);

/** Whoever asked has given up before; the request must not stay open. */
const ANSWER_MS = 10_000;

/**
 * `POST /v1/audio/transcriptions` of OpenAI or any compatible server, a request for each question: the stretch as a WAV
 * file. Gives no interims. Nothing is retried here: whoever asked decides.
 */
export function createOpenAiBatchTranscriber(options: OpenAiTranscriptionOptions): Transcriber {
  const { model } = options;
  let asksForTimes = TELLS_WORD_TIMES.test(model);
  const client = new OpenAI({
    fetch: fetchInTrace,
    apiKey: options.apiKey,
    ...(options.baseUrl === undefined ? {} : { baseURL: options.baseUrl }),
    maxRetries: 0,
    timeout: ANSWER_MS,
    // The SDK would write what it could not parse to the console: parts of people's calls.
    logLevel: 'off',
  });

  /** Undefined where the server does not take the question, now and from now on. */
  async function askWithTimes(
    request: Pick<OpenAI.Audio.TranscriptionCreateParams, 'model' | 'file'>,
    signal: AbortSignal,
  ): Promise<Transcription | undefined> {
    try {
      const answer = await client.audio.transcriptions.create(
        { ...request, response_format: 'verbose_json', timestamp_granularities: ['word'] },
        { signal },
      );
      return {
        text: wordsOf(answer),
        words: (answer.words ?? []).map(({ word, start, end }) => ({
          text: word,
          startMs: start * 1_000,
          endMs: end * 1_000,
        })),
      };
    } catch (error) {
      if (!(error instanceof OpenAI.APIError) || !NOT_UNDERSTOOD.has(Number(error.status))) throw error;
      asksForTimes = false;
      return undefined;
    }
  }

  async function transcribe(
    samples: Int16Array,
    listening: ListeningOptions,
    signal: AbortSignal,
  ): Promise<Transcription> {
    try {
      signal.throwIfAborted();
      const wav = [wavHeader({ sampleCount: samples.length, channels: 1 }), littleEndian(samples)];
      const file = await toFile(Buffer.concat(wav), 'speech.wav', { type: 'audio/wav' });
      const request = { model, file, ...expectations(model, listening) };
      const timed = asksForTimes ? await askWithTimes(request, signal) : undefined;
      if (timed) return timed;
      const answer = await client.audio.transcriptions.create(
        { ...request, response_format: 'json' },
        { signal },
      );
      const [language] = answer.languages ?? [];
      return { text: wordsOf(answer), ...(language ? { language: language.code } : {}) };
    } catch (error) {
      throw asProviderFailure('The transcription model', error, signal);
    }
  }

  return {
    model,
    open(listening) {
      return {
        begin(): SpeechStretch {
          const heard = createGatheredSamples();
          return {
            write: heard.add,
            transcribe: (signal) =>
              transcribe(heard.all(), listening, AbortSignal.any([signal, listening.signal])),
            end: heard.clear,
          };
        },
      };
    },
  };
}

/** A server of another kind may answer anything with 200. */
function wordsOf({ text }: { text?: unknown }): string {
  if (typeof text !== 'string') throw new BrokenAnswer('broke_off', 'the answer has no text');
  return spokenWords(text);
}
