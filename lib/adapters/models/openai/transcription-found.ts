import OpenAI, { toFile } from 'openai';
import { wavHeader } from '#lib/media/wav.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { providerFailureOf } from '#lib/ports/provider-failure.ts';
import type { Transcriber, TranscriptionStream } from '#lib/ports/transcription.ts';
import { probeRealtime } from './realtime-connection.ts';
import { createOpenAiBatchTranscriber } from './transcription-batch.ts';
import type { OpenAiTranscriptionOptions } from './transcription-options.ts';
import { createOpenAiRealtimeTranscriber } from './transcription-realtime.ts';

/** A way to reach a model: over a connection, or by requests. */
export type TranscriptionWay = 'realtime' | 'batch';

/** Somebody may add a transcription to their server while the service runs. */
const MISSING_FOR_MS = 5 * 60_000;
/** A server that said nothing, or could not be reached, is believed to have what it is said to have. */
const UNANSWERED_FOR_MS = 60_000;
const PROBE_MS = 3_000;
/** What servers answer for a path that they do not have. */
const NO_SUCH_PATH = [404, 405, 501];

/**
 * Transcription by the first of `ways` that the server has. A server for language models alone has none (its answer is
 * 404): then `isMissing`, and a call goes on without words. Asked for once, by `find` or at the first use; OpenAI itself
 * is not asked.
 */
export function createOpenAiTranscriber({
  ways,
  clock,
  ...options
}: OpenAiTranscriptionOptions & { ways: readonly TranscriptionWay[]; clock: Clock }): Transcriber {
  const made = {
    realtime: createOpenAiRealtimeTranscriber(options),
    batch: createOpenAiBatchTranscriber(options),
  };
  const [first = 'batch'] = ways;
  let found: { way: TranscriptionWay | undefined; untilMs: number } | undefined =
    options.baseUrl === undefined ? { way: first, untilMs: Number.POSITIVE_INFINITY } : undefined;
  let finding: Promise<void> | undefined;

  const nowMs = () => clock.now().getTime();
  const isKnown = () => found !== undefined && nowMs() < found.untilMs;

  function markMissing(): void {
    found = { way: undefined, untilMs: nowMs() + MISSING_FOR_MS };
  }

  async function find(): Promise<void> {
    for (const way of ways) {
      const answer = await probe(way, options);
      if (answer === 'missing') continue;
      const untilMs = answer === 'there' ? Number.POSITIVE_INFINITY : nowMs() + UNANSWERED_FOR_MS;
      found = { way, untilMs };
      return;
    }
    markMissing();
  }

  return {
    model: options.model,
    isMissing: () => isKnown() && found?.way === undefined,
    async find() {
      if (isKnown()) return;
      finding ??= find().finally(() => {
        finding = undefined;
      });
      await finding;
    },
    open: (listening) => noticing(made[found?.way ?? first].open(listening), markMissing),
  };
}

/** A server that has no transcription says so at the first question at the latest. */
function noticing(stream: TranscriptionStream, onMissing: () => void): TranscriptionStream {
  return {
    begin(onInterim) {
      const stretch = stream.begin(onInterim);
      return {
        ...stretch,
        async transcribe(signal) {
          try {
            return await stretch.transcribe(signal);
          } catch (error) {
            if (providerFailureOf(error).kind === 'no_such_model') onMissing();
            throw error;
          }
        },
      };
    },
  };
}

async function probe(
  way: TranscriptionWay,
  options: OpenAiTranscriptionOptions,
): Promise<'there' | 'missing' | 'unanswered'> {
  if (way === 'realtime')
    return probeRealtime({ ...options, query: 'intent=transcription', limitMs: PROBE_MS });
  return probeRequests(options);
}

/** Asks for the words of a moment of silence. */
async function probeRequests({ apiKey, baseUrl, model }: OpenAiTranscriptionOptions) {
  const sampleCount = SAMPLE_RATE_HZ / 2;
  const silence = Buffer.concat([wavHeader({ sampleCount, channels: 1 }), new Uint8Array(sampleCount * 2)]);
  const client = new OpenAI({
    apiKey,
    ...(baseUrl === undefined ? {} : { baseURL: baseUrl }),
    maxRetries: 0,
    timeout: PROBE_MS,
    logLevel: 'off',
  });
  try {
    const file = await toFile(silence, 'silence.wav', { type: 'audio/wav' });
    const answer: unknown = await client.audio.transcriptions.create({
      model,
      file,
      response_format: 'json',
    });
    // Some answer what they do not know with 200 and a note.
    const hasText = typeof answer === 'object' && answer !== null && 'text' in answer;
    return hasText ? ('there' as const) : ('missing' as const);
  } catch (error) {
    if (!(error instanceof OpenAI.APIError) || error instanceof OpenAI.APIConnectionError)
      return 'unanswered' as const;
    const status: unknown = error.status;
    return NO_SUCH_PATH.some((missing) => missing === status) ? ('missing' as const) : ('there' as const);
  }
}
