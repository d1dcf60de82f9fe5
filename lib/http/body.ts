import { AppError } from '#lib/errors.ts';

/** The largest JSON a client may send. The longest field (chatPrompt, 100,000 characters) fits six times over. */
export const MAX_JSON_BYTES = 1024 * 1024;

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
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of request.body ?? []) {
      sizeBytes += part.byteLength;
      if (sizeBytes > maxBytes)
        throw new AppError('PAYLOAD_TOO_LARGE', `The body is larger than ${maxBytes} bytes`);
      parts.push(part);
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('MALFORMED_REQUEST', 'The body could not be read', { cause: error });
  }
  return Buffer.concat(parts);
}
