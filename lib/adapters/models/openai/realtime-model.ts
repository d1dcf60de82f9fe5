import { createVoiceLevels, type VoiceLevels } from '#lib/media/voice-level.ts';
import type {
  RealtimeAnswer,
  RealtimeEvent,
  RealtimeModel,
  RealtimeRequest,
  RealtimeSession,
} from '#lib/ports/realtime.ts';
import type { SpeechStretch } from '#lib/ports/transcription.ts';
import { codingFor, createSoundReader, createSoundWriter } from './realtime-audio.ts';
import type { Told } from './realtime-items.ts';
import { type Link, openLink, orAborted } from './realtime-link.ts';
import type { Response } from './realtime-response.ts';
import { sessionOf, type OpenAiRealtimeOptions } from './realtime-session-settings.ts';
import { askStretch } from './transcription-asking.ts';

/** Of OpenAI; other servers name theirs in SPEECH_VOICES. The first is the one that OpenAI recommends. */
export const REALTIME_VOICES = [
  'marin',
  'cedar',
  'alloy',
  'ash',
  'ballad',
  'coral',
  'echo',
  'sage',
  'shimmer',
  'verse',
] as const;

type OpenOptions = Parameters<RealtimeModel['open']>[0];

/** Speech to speech over OpenAI's Realtime API or a compatible server, a WebSocket for each call. */
export function createOpenAiRealtimeModel(options: OpenAiRealtimeOptions): RealtimeModel {
  const levels = createVoiceLevels();
  return {
    model: options.model,
    voices: options.voices.map((voice) => ({
      id: voice,
      label: voice.charAt(0).toUpperCase() + voice.slice(1),
      language: 'multilingual',
    })),
    open: (settings) => openSession(options, settings, levels),
  };
}

function openSession(
  options: OpenAiRealtimeOptions,
  settings: OpenOptions,
  levels: VoiceLevels,
): RealtimeSession {
  const voice = options.voices.find((known) => known === settings.voiceId) ?? options.voices[0] ?? '';
  const coding = codingFor(settings);
  const link = openLink({
    ...options,
    session: sessionOf(options, settings, { voice, coding }),
    openReader: () => createSoundReader(coding, levels.begin(voice)),
    onUsage: settings.onUsage,
  });
  settings.signal.addEventListener('abort', link.connection.close, { once: true });
  // So that the handshake is over before the first word.
  link.connection.ensure();

  return {
    begin(onInterim): SpeechStretch {
      const stretch = link.book.begin(onInterim);
      const encode = createSoundWriter(coding);
      link.connection.ensure();
      return {
        write(samples) {
          if (link.book.current() === stretch) link.book.write(stretch, encode(samples));
        },
        transcribe: (signal) => askStretch({ ...link, stretch }, AbortSignal.any([signal, settings.signal])),
        end: () => link.book.end(stretch),
      };
    },
    respond: (request) =>
      respond(link, { ...request, signal: AbortSignal.any([request.signal, settings.signal]) }),
    tell: link.items.note,
    giveResults(results) {
      for (const { callId, result } of results) link.items.giveResult(callId, result);
    },
    recite: (request) => recite(link, request),
    renew() {
      link.leave();
      link.connection.ensure();
    },
    close: link.connection.close,
  };
}

function respond(link: Link, request: RealtimeRequest): RealtimeAnswer {
  const { responses, items } = link;
  const { signal } = request;
  let response: Response | undefined;
  let told: Told | undefined;

  async function* answer(): AsyncGenerator<RealtimeEvent> {
    await link.ready(signal);
    for (let former = responses.active(); former; former = responses.active()) {
      responses.cancel(former);
      await orAborted(former.over.promise, signal);
    }
    link.settle();
    told = items.tell(request);
    const asked = told;
    // Heard to its end, unless somebody says otherwise.
    link.settle = () => items.keep(asked);
    response = responses.create({
      isLine: false,
      response: request.offersTools ? {} : { tool_choice: 'none' },
    });
    yield* follow(link, response, signal);
  }

  function truncate(heardMs: number): void {
    if (!response || !told) return;
    const { over } = response;
    responses.cancel(response);
    if (heardMs > 0) items.keep(told);
    const [made, asked] = [response, told];
    link.settle = () => undefined;
    void over.promise.then(() => {
      // It failed, perhaps with its connection: the next one knows nothing of it.
      if (made.error !== undefined) return;
      const isGone = items.truncate(made, heardMs);
      if (isGone && heardMs === 0) items.forget(asked);
      else items.keep(asked);
    });
  }

  return { [Symbol.asyncIterator]: () => answer(), truncate };
}

async function* follow(link: Link, response: Response, signal: AbortSignal): AsyncGenerator<RealtimeEvent> {
  const giveUp = () => link.responses.cancel(response);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    for await (const event of response.events) yield event;
    signal.throwIfAborted();
    if (response.error !== undefined) throw response.error;
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}

async function* recite(
  link: Link,
  { text, language, signal }: Parameters<RealtimeSession['recite']>[0],
): AsyncGenerator<RealtimeEvent> {
  await link.ready(signal);
  const spokenIn = language === null ? '' : ` It is in the language ${language}.`;
  const response = link.responses.create({
    isLine: true,
    response: {
      conversation: 'none',
      input: [{ type: 'message', role: 'user', content: [{ type: 'input_text', text }] }],
      instructions: `Read the user's message aloud, word for word, as your own line on a telephone call. Add nothing, leave nothing out, answer nothing.${spokenIn}`,
      tools: [],
      tool_choice: 'none',
    },
  });
  yield* follow(link, response, signal);
}
