import { once } from 'node:events';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError, isAppError, validationError } from '#lib/errors.ts';
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
  let received: Promise<T> | undefined;
  let problem: AppError | undefined;
  let current: BusboyFileStream | undefined;
  const stop = new AbortController();
  const refuse = (error: AppError) => {
    problem ??= error;
    stop.abort(problem);
  };

  parser.on('file', (name, stream, filename) => {
    // Without a listener the end of a broken body would be an uncaught error.
    stream.on('error', () => {});
    if (name !== fieldName) {
      stream.resume();
      return refuse(
        validationError([
          {
            field: name.slice(0, 100),
            reason: `is not expected; send the document in the part "${fieldName}"`,
          },
        ]),
      );
    }
    if (received) {
      stream.resume();
      return refuse(
        validationError([
          { field: fieldName, reason: 'must be one file; send each document in a request of its own' },
        ]),
      );
    }
    current = stream;
    received = steps.receive({ name: filename, body: stream });
    received.catch((error: unknown) => stop.abort(error));
  });
  parser.on('field', (name) => {
    const reason =
      name === fieldName
        ? 'must be a file with a filename'
        : `is not expected; send the document in the part "${fieldName}"`;
    refuse(validationError([{ field: name.slice(0, 100) || 'body', reason }]));
  });

  try {
    await feed(body, parser, stop);
  } catch (error) {
    current?.destroy(error instanceof Error ? error : new Error(String(error)));
    const result = await received?.then(
      (value) => ({ value }),
      (failure: unknown) => ({ failure }),
    );
    if (result && 'value' in result) await steps.undo(result.value);
    if (problem) throw problem;
    if (result && 'failure' in result && isAppError(result.failure)) throw result.failure;
    throw new AppError('MALFORMED_REQUEST', 'The multipart body broke off or is malformed; send it again', {
      cause: error,
    });
  }
  if (!received) throw missingFile(fieldName);
  return received;
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
