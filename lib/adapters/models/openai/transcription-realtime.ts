import { AppError } from '#lib/errors.ts';
import { createResampler } from '#lib/media/resample.ts';
import { littleEndian } from '#lib/media/wav.ts';
import { SAMPLE_RATE_HZ } from '#lib/ports/media.ts';
import type {
  SpeechStretch,
  Transcriber,
  Transcription,
  TranscriptionStream,
} from '#lib/ports/transcription.ts';
import { createRealtimeConnection, type RealtimeEvent } from './realtime-connection.ts';
import { expectations, type OpenAiTranscriptionOptions } from './transcription-options.ts';
import { createParts, interimOf, type Part, wordsOf } from './transcription-parts.ts';

/** The only rate that the API takes as PCM. */
const RATE_HZ = 24_000;
/** Lost connections that are made again within one stretch, before its question fails. */
const RECONNECTS = 2;

type Stretch = {
  parts: Part[];
  onInterim(text: string): void;
  asked: Question | undefined;
  /** Somebody asked and got nothing: asking again without anything new means that the server hangs. */
  isUnanswered: boolean;
  reconnects: number;
};
type Question = { resolve(words: Transcription): void; reject(error: unknown): void };

/**
 * Transcription over OpenAI's Realtime API or a compatible server: audio goes out while it is spoken, and each question
 * commits what was sent. A part whose question was taken back keeps its words; the next question adds those of what
 * came since. A lost connection is made again, and gets what has no words yet once more.
 */
export function createOpenAiRealtimeTranscriber(options: OpenAiTranscriptionOptions): Transcriber {
  return { model: options.model, open: (listening) => openStream(options, listening) };
}

function openStream(
  options: OpenAiTranscriptionOptions,
  listening: Parameters<Transcriber['open']>[0],
): TranscriptionStream {
  const parts = createParts();
  let current: Stretch | undefined;
  /** Why the server did not take the session; nothing it says is of use then. */
  let refusal: AppError | undefined;
  let isConfigured = false;
  const connection = createRealtimeConnection({
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    query: 'intent=transcription',
    session: sessionOf(options.model, listening),
    onReady() {
      isConfigured = false;
      refusal = undefined;
      if (current) sendAgain(current);
    },
    onEvent: take,
    onLost(error, wasReady) {
      if (!current) return;
      current.reconnects += 1;
      if (wasReady && !refusal && current.reconnects <= RECONNECTS) connection.ensure();
      else current.asked?.reject(refusal ?? error);
    },
  });

  function sendAgain(stretch: Stretch): void {
    parts.restart(stretch.parts);
    for (const part of stretch.parts) {
      for (const audio of part.audio) connection.send({ type: 'input_audio_buffer.append', audio });
      if (part.isCommitted && !part.words) connection.send({ type: 'input_audio_buffer.commit' });
    }
  }

  function take(event: RealtimeEvent): void {
    if (event.type === 'error') return takeError(messageOf(event), codeOf(event));
    if (event.type === 'session.updated') isConfigured = true;
    const part = parts.named(event.item_id);
    if (!part) return;
    switch (event.type) {
      case 'conversation.item.input_audio_transcription.delta':
        part.interim += textOf(event.delta);
        if (current?.parts.includes(part)) current.onInterim(interimOf(current.parts));
        break;
      case 'conversation.item.input_audio_transcription.completed':
        parts.settle(part, { text: textOf(event.transcript), ...languageOf(event.languages) });
        answer();
        break;
      case 'conversation.item.input_audio_transcription.failed':
        if (current?.parts.includes(part)) rejectAsked(`The transcription failed: ${messageOf(event)}`);
        break;
    }
  }

  function takeError(message: string, code: string): void {
    const part = parts.oldestCommitted();
    // Less than a tenth of a second was committed: nobody says a word in it.
    if (code === 'input_audio_buffer_commit_empty' && part) {
      parts.settle(part, { text: '' });
      return answer();
    }
    const reason = `The transcription server refused: ${message}`;
    if (!isConfigured) refusal = new AppError('PROVIDER_FAILED', reason);
    rejectAsked(reason);
  }

  function rejectAsked(reason: string): void {
    current?.asked?.reject(new AppError('PROVIDER_FAILED', reason));
  }

  function answer(): void {
    const words = current?.asked && wordsOf(current.parts);
    if (!words || !current) return;
    current.isUnanswered = false;
    current.asked?.resolve(words);
  }

  function begin(onInterim: (text: string) => void): SpeechStretch {
    if (current) end(current);
    const resampler = createResampler({ fromHz: SAMPLE_RATE_HZ, toHz: RATE_HZ });
    const stretch: Stretch = { parts: [], onInterim, asked: undefined, isUnanswered: false, reconnects: 0 };
    current = stretch;
    connection.ensure();
    return {
      write(samples) {
        if (current !== stretch) return;
        const audio = Buffer.from(littleEndian(resampler.process(samples)).buffer).toString('base64');
        openPart(stretch).audio.push(audio);
        stretch.isUnanswered = false;
        connection.send({ type: 'input_audio_buffer.append', audio });
      },
      transcribe: (signal) => ask(stretch, AbortSignal.any([signal, listening.signal])),
      end: () => end(stretch),
    };
  }

  function openPart(stretch: Stretch): Part {
    const last = stretch.parts.at(-1);
    if (last && !last.isCommitted) return last;
    const part = parts.begin();
    stretch.parts.push(part);
    return part;
  }

  async function ask(stretch: Stretch, signal: AbortSignal): Promise<Transcription> {
    signal.throwIfAborted();
    if (current !== stretch) throw new AppError('PROVIDER_FAILED', 'The stretch of speech is over.');
    // Asked again for the same: what the connection has been told so far leads to nothing.
    if (stretch.isUnanswered) connection.drop();
    stretch.isUnanswered = true;
    const question = Promise.withResolvers<Transcription>();
    stretch.asked = question;
    const takeBack = () => question.reject(signal.reason);
    signal.addEventListener('abort', takeBack, { once: true });
    try {
      commit(stretch);
      connection.ensure();
      if (refusal) question.reject(refusal);
      answer();
      return await question.promise;
    } finally {
      signal.removeEventListener('abort', takeBack);
      if (stretch.asked === question) stretch.asked = undefined;
    }
  }

  function commit(stretch: Stretch): void {
    const part = stretch.parts.at(-1);
    if (!part || part.isCommitted) return;
    part.isCommitted = true;
    connection.send({ type: 'input_audio_buffer.commit' });
  }

  function end(stretch: Stretch): void {
    if (current !== stretch) return;
    current = undefined;
    stretch.asked?.reject(new AppError('PROVIDER_FAILED', 'The stretch of speech is over.'));
    parts.drop(stretch.parts);
    connection.send({ type: 'input_audio_buffer.clear' });
  }

  listening.signal.addEventListener('abort', connection.close, { once: true });
  // So that the handshake is over before the first word.
  connection.ensure();
  return { begin };
}

function sessionOf(model: string, listening: Parameters<Transcriber['open']>[0]) {
  const input = {
    format: { type: 'audio/pcm', rate: RATE_HZ },
    transcription: { model, ...expectations(model, listening) },
    turn_detection: null,
  };
  return { type: 'transcription', audio: { input } };
}

function messageOf({ error }: RealtimeEvent): string {
  return (isRecord(error) && textOf(error.message)) || 'no reason was given';
}

function codeOf({ error }: RealtimeEvent): string {
  return isRecord(error) ? textOf(error.code) : '';
}

function languageOf(languages: unknown): { language?: string } {
  const first: unknown = Array.isArray(languages) ? languages[0] : undefined;
  return isRecord(first) && typeof first.code === 'string' ? { language: first.code } : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
