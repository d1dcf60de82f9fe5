import { createFliteSpeech } from '#lib/adapters/models/local/speech-flite.ts';
import { probeRealtime } from '#lib/adapters/models/openai/realtime-connection.ts';
import { createOpenAiBatchTranscriber } from '#lib/adapters/models/openai/transcription-batch.ts';
import type { TranscriptionWay } from '#lib/adapters/models/openai/transcription-found.ts';
import { createOpenAiRealtimeTranscriber } from '#lib/adapters/models/openai/transcription-realtime.ts';
import type { Env } from '#lib/env.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { FRAME_MS, FRAME_SAMPLES } from '#lib/ports/media.ts';
import { providerFailureOf } from '#lib/ports/provider-failure.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { type Check, stopwatch } from './doctor-check.ts';

const SLOW_WORDS_MS = 600;
const CONNECT_MS = 5_000;
/** Said to the transcription by a local voice. */
const SAID = 'I would like to make an appointment for next Tuesday.';

/** Each way that calls may take is asked; with `auto` requests are what they fall back to. */
export function checksOfTranscription(openai: NonNullable<Env['openai']>, clock: Clock): Check[] {
  const { transcription } = openai;
  if (!transcription) return [];
  const { model, ways, fallbackModel } = transcription;
  return [
    ...checksOfModel({ ...openai, model }, { variable: 'TRANSCRIPTION_MODEL', ways, clock }),
    ...(fallbackModel === undefined
      ? []
      : checksOfModel(
          { ...openai, model: fallbackModel },
          { variable: 'TRANSCRIPTION_MODEL_FALLBACK', ways: ['batch'], clock },
        )),
  ];
}

function checksOfModel(
  options: Parameters<typeof createOpenAiBatchTranscriber>[0],
  { variable, ways, clock }: { variable: string; ways: readonly TranscriptionWay[]; clock: Clock },
): Check[] {
  const askRealtime = async (signal: AbortSignal) => {
    const canFallBack = ways.length > 1;
    const limits = { query: 'intent=transcription', limitMs: CONNECT_MS };
    if (canFallBack && (await probeRealtime({ ...options, ...limits })) === 'missing')
      return 'The server takes no connections for it: calls send each stretch of speech as a request (below).';
    return transcribe(createOpenAiRealtimeTranscriber(options), clock, signal);
  };
  const askBatch = async (signal: AbortSignal) => {
    try {
      return await transcribe(createOpenAiBatchTranscriber(options), clock, signal);
    } catch (error) {
      if (providerFailureOf(error).kind !== 'no_such_model') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(
        `The server has no transcription, or no model of this name: nobody is understood on calls, except by what they type or press. (${reason})`,
        { cause: error },
      );
    }
  };
  const run: Record<TranscriptionWay, Check['run']> = { realtime: askRealtime, batch: askBatch };
  return ways.map((way) => ({ part: `${variable} ${options.model}, ${way}`, run: run[way] }));
}

/** Speaks to it as a call does, and waits for the words from the end of speech on. */
async function transcribe(transcriber: Transcriber, clock: Clock, signal: AbortSignal): Promise<string> {
  const speech = await speak(SAID);
  const over = new AbortController();
  const listening = { hints: [], language: 'en', isMultilingual: false, hasBargeIn: true };
  try {
    const stretch = transcriber.open({ ...listening, signal: over.signal }).begin(() => undefined);
    for (let at = 0; at < speech.length; at += FRAME_SAMPLES) {
      stretch.write(speech.subarray(at, at + FRAME_SAMPLES));
      // As fast as people speak: a connection has to keep up with that.
      await clock.sleep(FRAME_MS, signal);
    }
    const elapsedMs = stopwatch(clock);
    const { text } = await stretch.transcribe(signal);
    const tookMs = elapsedMs();
    stretch.end();
    if (text === '') throw new Error('It understood no word of a clear sentence.');
    const slow = tookMs > SLOW_WORDS_MS ? ' That is slow for a call: each answer waits for it.' : '';
    return `It understands: "${text}" came ${tookMs} ms after the last word.${slow}`;
  } finally {
    over.abort(new Error('The check is over'));
  }
}

async function speak(text: string): Promise<Int16Array> {
  const voices = createFliteSpeech({ mostThreads: 1 });
  try {
    return await collectSpeech(voices.synthesize({ text, voiceId: null, language: null }));
  } finally {
    await voices.close();
  }
}
