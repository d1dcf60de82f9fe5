import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError, isAppError, validationError } from '#lib/errors.ts';
import { assertNotCompressed } from '#lib/http/body.ts';
import { MAX_DOCUMENT_BYTES } from '../contract.ts';

export type UploadedFile = { name: string; body: AsyncIterable<Uint8Array> };

/** Room for the part's headers and the borders around it. */
const ENVELOPE_BYTES = 64 * 1024;
/** A refused body is read this far beyond the largest document, then cut off. */
const MAX_REST_BYTES = 1024 * 1024;

/**
 * Reads a multipart body with exactly one file in the part `fieldName`, while it comes: `receive` gets the file as a
 * stream and answers when it has it all. Everything else about the body is a 400 with what to do; `undo` is called
 * with the result when something wrong follows the file.
 */
export async function readMultipartFile<T>(
  request: Request,
  fieldName: string,
  steps: { receive: (file: UploadedFile) => Promise<T>; undo: (result: T) => Promise<void> },
): Promise<T> {
  const parser = openParser(request);
  const body = request.body;
  if (!body) throw missingFile(fieldName);
  const upload = listen(parser, fieldName, steps.receive);
  try {
    await feed(body, parser, upload.stop);
  } catch (error) {
    throw await failureOf(upload, error, steps.undo);
  }
  if (!upload.received) throw missingFile(fieldName);
  return upload.received;
}

type Upload<T> = {
  received: Promise<T> | undefined;
  /** What is wrong with the body, whatever became of its file. */
  problem: AppError | undefined;
  current: BusboyFileStream | undefined;
  stop: AbortController;
};

/** Hands the file to `receive` when it begins; anything else in the body stops the reading. */
function listen<T>(
  parser: BusboyInstance,
  fieldName: string,
  receive: (file: UploadedFile) => Promise<T>,
): Upload<T> {
  const upload: Upload<T> = {
    received: undefined,
    problem: undefined,
    current: undefined,
    stop: new AbortController(),
  };
  const refuse = (field: string, reason: string) => {
    upload.problem ??= validationError([{ field, reason }]);
    upload.stop.abort(upload.problem);
  };
  const unexpected = `is not expected; send the document in the part "${fieldName}"`;

  parser.on('file', (name, stream, filename) => {
    // Without a listener the end of a broken body would be an uncaught error.
    stream.on('error', () => {});
    if (name !== fieldName) {
      stream.resume();
      return refuse(name.slice(0, 100), unexpected);
    }
    if (upload.received) {
      stream.resume();
      return refuse(fieldName, 'must be one file; send each document in a request of its own');
    }
    upload.current = stream;
    upload.received = receive({ name: filename, body: stream });
    upload.received.catch((error: unknown) => upload.stop.abort(error));
  });
  parser.on('field', (name) =>
    refuse(name.slice(0, 100) || 'body', name === fieldName ? 'must be a file with a filename' : unexpected),
  );
  return upload;
}

/** Ends the receiving, undoes what it made, and says what to answer. */
async function failureOf<T>(
  upload: Upload<T>,
  error: unknown,
  undo: (result: T) => Promise<void>,
): Promise<unknown> {
  upload.current?.destroy(error instanceof Error ? error : new Error(String(error)));
  const result = await upload.received?.then(
    (value) => ({ value }),
    (failure: unknown) => ({ failure }),
  );
  if (result && 'value' in result) await undo(result.value);
  if (upload.problem) return upload.problem;
  if (result && 'failure' in result && isAppError(result.failure)) return result.failure;
  return new AppError('MALFORMED_REQUEST', 'The multipart body broke off or is malformed; send it again', {
    cause: error,
  });
}

/**
 * Feeds the parser until the body ends. Once `stop` aborts, what still comes is read and dropped: a body that is
 * cancelled instead cuts the connection while the client sends, and it would not see the answer.
 */
async function feed(
  body: ReadableStream<Uint8Array>,
  parser: BusboyInstance,
  stop: AbortController,
): Promise<void> {
  const { signal } = stop;
  parser.on('error', (error) => stop.abort(error));
  const finished = once(parser, 'finish', { signal });
  finished.catch(() => undefined);
  const reader = body.getReader();
  let sizeBytes = 0;
  for (;;) {
    const step = await reader.read();
    if (step.done) break;
    sizeBytes += step.value.byteLength;
    if (sizeBytes > MAX_DOCUMENT_BYTES + MAX_REST_BYTES) break;
    if (!signal.aborted && !parser.write(Buffer.from(step.value)))
      await once(parser, 'drain', { signal }).catch(() => undefined);
  }
  signal.throwIfAborted();
  parser.end();
  await finished.catch(() => undefined);
  signal.throwIfAborted();
}

function openParser(request: Request): BusboyInstance {
  const contentType = request.headers.get('content-type') ?? '';
  if (!/^multipart\/form-data\s*(;|$)/i.test(contentType)) {
    throw new AppError(
      'UNSUPPORTED_CONTENT_TYPE',
      'Send the document as multipart/form-data with one part named "file"',
    );
  }
  assertNotCompressed(request);
  const announced = Number(request.headers.get('content-length') ?? 0);
  if (announced > MAX_DOCUMENT_BYTES + ENVELOPE_BYTES) throw tooLarge();
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        parts: 8,
        fields: 8,
        fieldSize: 1024,
        headerPairs: 20,
        headerSize: 16 * 1024,
        fileSize: MAX_DOCUMENT_BYTES + 1,
      },
    });
  } catch (error) {
    throw new AppError('MALFORMED_REQUEST', 'The Content-Type header names no usable multipart boundary', {
      cause: error,
    });
  }
}

export function tooLarge(): AppError {
  return new AppError('FILE_TOO_LARGE', 'file: is larger than 50 MB (52,428,800 bytes)');
}

function missingFile(fieldName: string): AppError {
  return validationError([
    { field: fieldName, reason: 'is required: send the document as a multipart part with this name' },
  ]);
}
