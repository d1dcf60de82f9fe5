import { createResampler } from '#lib/media/resample.ts';
import { littleEndian } from '#lib/media/wav.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import type { SpeechStretch, Transcriber, TranscriptionStream } from '#lib/ports/transcription.ts';
import { createRealtimeConnection } from './realtime-connection.ts';
import { askStretch } from './transcription-asking.ts';
import { createTranscriptionEvents } from './transcription-events.ts';
import { expectations, type OpenAiTranscriptionOptions } from './transcription-options.ts';
import { createStretchBook } from './transcription-stretch.ts';

/** The only rate that the API takes as PCM. */
const RATE_HZ = 24_000;
/** Lost connections that are made again within one stretch, before its question fails. */
const RECONNECTS = 2;

type OpenOptions = Parameters<Transcriber['open']>[0];

/**
 * Transcription over OpenAI's Realtime API or a compatible server: audio goes out while it is spoken, and each question
 * commits what was sent. A part whose question was taken back keeps its words; the next question adds those of what
 * came since. A lost connection is made again, and gets what has no words yet once more.
 */
export function createOpenAiRealtimeTranscriber(options: OpenAiTranscriptionOptions): Transcriber {
  return { model: options.model, open: (listening) => openStream(options, listening) };
}

function openStream(options: OpenAiTranscriptionOptions, listening: OpenOptions): TranscriptionStream {
  const book = createStretchBook((event) => connection.send(event));
  const events = createTranscriptionEvents(book);
  const connection = createRealtimeConnection({
    name: 'The transcription server',
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    query: 'intent=transcription',
    session: sessionOf(options.model, listening),
    onReady() {
      events.restart();
      book.sendAgain();
    },
    onEvent: events.take,
    onLost(error, wasReady) {
      const stretch = book.current();
      if (!stretch) return;
      stretch.reconnects += 1;
      if (wasReady && !events.refusal() && stretch.reconnects <= RECONNECTS) connection.ensure();
      else book.reject(events.refusal() ?? error);
    },
  });
  listening.signal.addEventListener('abort', connection.close, { once: true });
  // So that the handshake is over before the first word.
  connection.ensure();

  return {
    begin(onInterim): SpeechStretch {
      const stretch = book.begin(onInterim);
      const resampler = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: RATE_HZ });
      connection.ensure();
      return {
        write(samples) {
          if (book.current() === stretch)
            book.write(stretch, base64(littleEndian(resampler.process(samples))));
        },
        transcribe: (signal) =>
          askStretch({ stretch, book, events, connection }, AbortSignal.any([signal, listening.signal])),
        end() {
          // It hangs: the next words get a connection of their own.
          if (book.current() === stretch && stretch.isUnanswered) connection.drop();
          book.end(stretch);
        },
      };
    },
  };
}

function sessionOf(model: string, listening: OpenOptions) {
  const input = {
    format: { type: 'audio/pcm', rate: RATE_HZ },
    transcription: { model, ...expectations(model, listening) },
    turn_detection: null,
  };
  return { type: 'transcription', audio: { input } };
}

function base64(bytes: Uint8Array<ArrayBuffer>): string {
  return Buffer.from(bytes.buffer).toString('base64');
}
