import { DOCUMENT_FILE_TYPES, MAX_DOCUMENT_BYTES } from '#lib/features/knowledge/contract.ts';
import { countOf } from './count-of.ts';

/**
 * `asking`: a document of its name is there, and a person says what becomes of it; `sending`: bytes are on their way;
 * `reading`: all were sent and the service extracts, splits and embeds.
 */
export type UploadPhase = 'asking' | 'waiting' | 'sending' | 'reading' | 'completed' | 'failed' | 'cancelled';

/** A document that is there already. */
export type Namesake = { id: string; createdAt: string };

export type Upload = {
  key: number;
  knowledgeBaseId: string;
  file: File;
  /** Documents of the same name, newest first, while asking; those that it replaces once it is ready, after. */
  namesakes: readonly Namesake[];
  phase: UploadPhase;
  /** 0 to 1, meaningful while sending. */
  fraction: number;
  /** What came of it: the number of passages, or why it failed. */
  result?: string;
  /** The file did not arrive, through no fault of its own: sending it once more may help. */
  mayRetry?: boolean;
};

export type UploadEvent =
  | { kind: 'added'; uploads: Upload[] }
  | { kind: 'started'; key: number }
  | { kind: 'sent'; key: number; fraction: number }
  | {
      kind: 'ended';
      key: number;
      phase: 'completed' | 'failed' | 'cancelled';
      result: string;
      mayRetry?: boolean;
    }
  | { kind: 'answered'; key: number; isReplacing: boolean }
  | { kind: 'retried'; key: number }
  | { kind: 'cleared' };

/** Two at a time keep a slow document from blocking the rest without crowding other people's requests. */
export const PARALLEL_UPLOADS = 2;

export function nextUploads(uploads: Upload[], event: UploadEvent): Upload[] {
  switch (event.kind) {
    case 'added':
      return event.uploads.reduce(withAdded, uploads);
    case 'started':
      return change(uploads, event.key, (upload) => ({ ...upload, phase: 'sending', fraction: 0 }));
    case 'sent':
      return change(uploads, event.key, (upload) =>
        isOver(upload)
          ? upload
          : { ...upload, phase: event.fraction >= 1 ? 'reading' : 'sending', fraction: event.fraction },
      );
    case 'ended':
      return change(uploads, event.key, (upload) =>
        isOver(upload)
          ? upload
          : { ...upload, phase: event.phase, result: event.result, mayRetry: event.mayRetry ?? false },
      );
    case 'answered':
      return change(uploads, event.key, (upload) =>
        upload.phase === 'asking'
          ? { ...upload, phase: 'waiting', namesakes: event.isReplacing ? upload.namesakes : [] }
          : upload,
      );
    case 'retried':
      return change(uploads, event.key, (upload) =>
        upload.mayRetry ? { ...upload, phase: 'waiting', fraction: 0, mayRetry: false } : upload,
      );
    case 'cleared':
      return uploads.filter((upload) => !isOver(upload));
  }
}

/** Of two files of one name the second is refused: which documents it would replace is known once the first is there. */
function withAdded(uploads: Upload[], added: Upload): Upload[] {
  const isOnItsWay = uploads.some(
    (upload) =>
      !isOver(upload) &&
      upload.knowledgeBaseId === added.knowledgeBaseId &&
      upload.file.name === added.file.name,
  );
  if (!isOnItsWay || isOver(added)) return [...uploads, added];
  return [...uploads, { ...added, phase: 'failed', namesakes: [], result: SAME_NAME }];
}

const SAME_NAME =
  'Another file of this name is being uploaded. Rename this one, or add it again afterwards to replace it.';

export function isOver(upload: Upload): boolean {
  return upload.phase === 'completed' || upload.phase === 'failed' || upload.phase === 'cancelled';
}

/** How far all of them are, in one sentence: what a screen reader hears of an upload. */
export function progressOf(uploads: readonly Upload[]): string {
  const inPhase = (phase: UploadPhase) => uploads.filter((upload) => upload.phase === phase).length;
  const parts = [`${uploads.filter(isOver).length} of ${countOf(uploads.length, 'file')} done`];
  if (inPhase('failed') > 0) parts.push(`${inPhase('failed')} failed`);
  if (inPhase('cancelled') > 0) parts.push(`${inPhase('cancelled')} cancelled`);
  return parts.join(', ');
}

/** Those that may start now. */
export function startable(uploads: readonly Upload[]): Upload[] {
  const running = uploads.filter((upload) => upload.phase === 'sending' || upload.phase === 'reading').length;
  return uploads
    .filter((upload) => upload.phase === 'waiting')
    .slice(0, Math.max(0, PARALLEL_UPLOADS - running));
}

export const ACCEPTED_EXTENSIONS = DOCUMENT_FILE_TYPES.map((type) => `.${type.toLowerCase()}`);

/** Why a file would be refused, told before a single byte is sent. */
export function refusalOf(file: { name: string; size: number }): string | undefined {
  const extension = /\.[^.]+$/.exec(file.name.toLowerCase())?.[0] ?? '';
  if (!ACCEPTED_EXTENSIONS.includes(extension)) {
    return `${extension || 'This file'} is not supported. Use PDF, DOCX, TXT, MD, CSV or JSON.`;
  }
  if (file.size > MAX_DOCUMENT_BYTES) return 'Larger than 50 MB. Split it into smaller documents.';
  if (file.size === 0) return 'The file is empty.';
  return undefined;
}

function change(uploads: Upload[], key: number, alter: (upload: Upload) => Upload): Upload[] {
  return uploads.map((upload) => (upload.key === key ? alter(upload) : upload));
}
