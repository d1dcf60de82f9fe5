import { AppError } from '#lib/errors.ts';
import { errorOf } from './failure.ts';
import { createRealtimeConnection, type RealtimeEvent } from './realtime-connection.ts';
import { createItems } from './realtime-items.ts';
import { failureOf, usageOf } from './realtime-response.ts';
import { createResponses } from './realtime-responses.ts';
import type { OpenAiRealtimeOptions } from './realtime-session-settings.ts';
import { createTranscriptionEvents } from './transcription-events.ts';
import { spokenWords } from './transcription-options.ts';
import { createStretchBook } from './transcription-stretch.ts';

const COMMITTED = 'input_audio_buffer.committed';
const TRANSCRIBED = 'conversation.item.input_audio_transcription.completed';

type Asking = Parameters<typeof createResponses>[0];

export type Link = ReturnType<typeof openLink>;

/** The connection of a call with all that is known of what lies behind it: stretches, items, responses. */
export function openLink(
  options: OpenAiRealtimeOptions &
    Pick<Asking, 'openReader' | 'onUsage'> & { session: Record<string, unknown> },
) {
  const send: Asking['send'] = (event) => connection.send(event);
  const state = createState({ ...options, send });
  const { book, events, items, responses } = state;
  let reconnects = 0;

  const connection = createRealtimeConnection({
    name: 'The realtime model',
    apiKey: options.apiKey,
    baseUrl: options.baseUrl,
    query: new URLSearchParams({ model: options.model }).toString(),
    session: options.session,
    onReady() {
      events.restart();
      book.sendAgain();
    },
    onEvent(event) {
      if (event.type === TRANSCRIBED || event.type === 'response.done') reconnects = 0;
      state.take(event);
    },
    onLost(lost, wasReady) {
      const complaint = state.complaint();
      state.restart(complaint ?? lost);
      reconnects += 1;
      if (wasReady && !complaint && reconnects <= 1) connection.ensure();
      else if (book.current()?.asked) book.reject(complaint ?? lost);
    },
  });

  return {
    connection,
    book,
    events,
    responses,
    items,
    /** What the last answer answers is answered now. */
    settle: (): void => undefined,
    /** Resolves when the server has taken the session. */
    async ready(signal: AbortSignal): Promise<void> {
      signal.throwIfAborted();
      connection.ensure();
      await orAborted(state.ready(), signal);
    },
    /** Leaves the connection. */
    leave(): void {
      connection.drop();
      const details = { kind: 'timed_out' };
      state.restart(new AppError('PROVIDER_FAILED', 'The realtime model hung.', { details }));
    },
  };
}

/** What is known of a connection by its events. */
function createState(options: Asking) {
  const book = createStretchBook(options.send);
  const events = createTranscriptionEvents(book);
  const responses = createResponses(options);
  const items = createItems(options.send);
  let ready = createPromise();
  /** What the server complained of that was about nothing in particular; it often hangs up then. */
  let complaint: AppError | undefined;

  function takeError(event: RealtimeEvent): void {
    const error = errorOf(event);
    if (responses.takeError(event)) return;
    // About an item: at worst the model knows a little more or less than it should.
    if (/^(?:item|ask)_\d+_/.test(error.eventId) || error.code.startsWith('item_')) return;
    complaint = failureOf(error);
    events.take(event);
    if (!error.code.startsWith('input_audio')) ready.reject(complaint);
  }

  return {
    book,
    events,
    responses,
    items,
    ready: () => ready.promise,
    complaint: () => complaint,
    take(event: RealtimeEvent): void {
      if (event.type === 'error') return takeError(event);
      if (event.type === 'session.updated') ready.resolve();
      if (event.type === COMMITTED) items.committed(String(event.item_id));
      if (event.type === TRANSCRIBED) {
        items.transcribed(String(event.item_id), spokenWords(String(event.transcript)));
        // A model of its own writes down what was said. Some are paid by the minute, and tell no tokens.
        const usage = usageOf(event.usage);
        if (usage) options.onUsage(usage);
      }
      if (event.type.startsWith('response.')) responses.take(event);
      else events.take(event);
    },
    /** The connection is gone, and the next one knows nothing. */
    restart(error: AppError): void {
      ready.reject(error);
      ready = createPromise();
      responses.lose(error);
      items.restart();
      complaint = undefined;
    },
  };
}

/** One that may be rejected while nobody waits for it. */
function createPromise(): PromiseWithResolvers<void> {
  const created = Promise.withResolvers<void>();
  created.promise.catch(() => undefined);
  return created;
}

/** Waits for `work`; rejects with the signal's reason as soon as it aborts. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}
