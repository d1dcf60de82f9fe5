import { AppError } from '#lib/errors.ts';
import type { Transcription } from '#lib/ports/transcription.ts';
import type { RealtimeConnection } from './realtime-connection.ts';
import type { TranscriptionEvents } from './transcription-events.ts';
import type { StretchBook, StretchState } from './transcription-stretch.ts';

type Asking = {
  stretch: StretchState;
  book: StretchBook;
  events: TranscriptionEvents;
  connection: RealtimeConnection;
};

/** Asks for the words of a stretch, over a connection that is made where there is none. */
export async function askStretch(
  { stretch, book, events, connection }: Asking,
  signal: AbortSignal,
): Promise<Transcription> {
  signal.throwIfAborted();
  if (book.current() !== stretch) throw new AppError('PROVIDER_FAILED', 'The stretch of speech is over.');
  // Asked again for the same, of which the server has shown no sign: what it has been told so far leads to nothing.
  if (stretch.isUnanswered && !stretch.isNoticed) {
    connection.drop();
    events.restart();
  }
  stretch.isUnanswered = true;
  const question = Promise.withResolvers<Transcription>();
  stretch.asked = question;
  const takeBack = () => question.reject(signal.reason);
  signal.addEventListener('abort', takeBack, { once: true });
  try {
    book.commit(stretch);
    connection.ensure();
    const refusal = events.refusal();
    if (refusal) question.reject(refusal);
    book.answer();
    return await question.promise;
  } finally {
    signal.removeEventListener('abort', takeBack);
    if (stretch.asked === question) stretch.asked = undefined;
  }
}
