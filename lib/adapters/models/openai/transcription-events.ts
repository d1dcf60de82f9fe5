import { AppError } from '#lib/errors.ts';
import type { RealtimeEvent } from './realtime-connection.ts';
import type { StretchBook } from './transcription-stretch.ts';

export type TranscriptionEvents = {
  take(event: RealtimeEvent): void;
  /** A new connection knows nothing of what was said before. */
  restart(): void;
  /** Why the server did not take the session; undefined where it did, or has not answered yet. */
  refusal(): AppError | undefined;
};

const TRANSCRIPTION = 'conversation.item.input_audio_transcription.';

/** Reads what the Realtime API says about parts into the book of the stretch. */
export function createTranscriptionEvents(book: StretchBook): TranscriptionEvents {
  let refusal: AppError | undefined;
  let isConfigured = false;

  function takeError(message: string, code: string): void {
    const part = book.oldestCommitted();
    // Less than a tenth of a second was committed: nobody says a word in it.
    if (code === 'input_audio_buffer_commit_empty' && part) {
      book.settle(part, { text: '' });
      return book.answer();
    }
    const error = new AppError('PROVIDER_FAILED', `The transcription server refused: ${message}`);
    if (!isConfigured) refusal = error;
    book.reject(error);
  }

  function take(event: RealtimeEvent): void {
    if (event.type === 'error') return takeError(messageOf(event), codeOf(event));
    if (event.type === 'session.updated') isConfigured = true;
    const part = book.named(event.item_id);
    if (part) book.notice(part);
    if (!part || !event.type.startsWith(TRANSCRIPTION)) return;
    const what = event.type.slice(TRANSCRIPTION.length);
    if (what === 'delta') book.hear(part, textOf(event.delta));
    if (what === 'completed') {
      book.settle(part, { text: textOf(event.transcript), ...languageOf(event.languages) });
      book.answer();
    }
    if (what === 'failed' && book.isCurrent(part))
      book.reject(new AppError('PROVIDER_FAILED', `The transcription failed: ${messageOf(event)}`));
  }

  return {
    take,
    restart() {
      refusal = undefined;
      isConfigured = false;
    },
    refusal: () => refusal,
  };
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
