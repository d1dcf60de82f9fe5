export type DocumentStatus = 'PENDING' | 'PROCESSING' | 'COMPLETED' | 'FAILED';
export type DocumentEvent = 'start' | 'complete' | 'fail' | 'retry';

/**
 * The life of a document (contract, Document processing). PENDING: stored, waiting for a parsing process.
 * A row changes state only by `update … where status in (statesBefore(event))`, so a late worker changes nothing.
 */
export const DOCUMENT_MACHINE: Record<DocumentStatus, Partial<Record<DocumentEvent, DocumentStatus>>> = {
  PENDING: { start: 'PROCESSING', fail: 'FAILED' },
  PROCESSING: { complete: 'COMPLETED', fail: 'FAILED' },
  COMPLETED: {},
  FAILED: { retry: 'PENDING' },
};

export function stateAfter(event: DocumentEvent): DocumentStatus {
  const [after] = Object.values(DOCUMENT_MACHINE).flatMap((moves) => moves[event] ?? []);
  if (!after) throw new Error(`no state takes the event ${event}`);
  return after;
}

export function statesBefore(event: DocumentEvent): DocumentStatus[] {
  return (Object.keys(DOCUMENT_MACHINE) as DocumentStatus[]).filter(
    (status) => DOCUMENT_MACHINE[status][event] !== undefined,
  );
}
