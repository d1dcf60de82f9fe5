import { AppError } from '#lib/errors.ts';

/** The largest JSON a client may send: the longest field is 100,000 characters, and an escaped emoji takes 12 bytes. */
export const MAX_JSON_BYTES = 4 * 1024 * 1024;

/** Reads and parses a JSON body, counting bytes while they come. Throws 400s only. */
export async function readJsonBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new AppError(
      'UNSUPPORTED_CONTENT_TYPE',
      'Send the body as JSON with Content-Type: application/json',
    );
  }
  const bytes = await readBytes(request, MAX_JSON_BYTES);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The body is not valid JSON');
  }
}

async function readBytes(request: Request, maxBytes: number): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const reader = request.body?.getReader();
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  // Never cancelled: that would cut the connection while the client still sends, and it would not see the answer.
  for (;;) {
    const step = await reader?.read().catch((error: unknown) => {
      throw new AppError('MALFORMED_REQUEST', 'The body could not be read', { cause: error });
    });
    if (!step || step.done) return Buffer.concat(parts);
    sizeBytes += step.value.byteLength;
    if (sizeBytes > maxBytes) throw tooLarge(maxBytes);
    parts.push(step.value);
  }
}

function tooLarge(maxBytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
}
