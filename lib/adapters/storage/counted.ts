import { AppError } from '#lib/errors.ts';

/**
 * The parts of a body as they come, each told with the bytes so far. Throws `AppError('FILE_TOO_LARGE')` once they are
 * more than `maxBytes`, and the signal's reason once it aborts.
 */
export async function* counted(
  body: AsyncIterable<Uint8Array> | Uint8Array,
  options: { maxBytes?: number; signal?: AbortSignal; onBytes(sizeBytes: number): void },
): AsyncGenerator<Uint8Array> {
  let sizeBytes = 0;
  for await (const part of body instanceof Uint8Array ? [body] : body) {
    options.signal?.throwIfAborted();
    sizeBytes += part.byteLength;
    if (options.maxBytes !== undefined && sizeBytes > options.maxBytes) {
      throw new AppError(
        'FILE_TOO_LARGE',
        `The file is larger than ${options.maxBytes.toLocaleString('en-US')} bytes`,
      );
    }
    options.onBytes(sizeBytes);
    yield part;
  }
  options.signal?.throwIfAborted();
}
