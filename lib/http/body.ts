import { AppError } from '#lib/errors.ts';

/** How long a JSON body may take to arrive: the largest one within it needs a line of 1 Mbit/s. */
export const JSON_BODY_MS = 10_000;

/**
 * Reads and parses a JSON body, counting bytes while they come. Throws `PAYLOAD_TOO_LARGE` above `maxBytes`,
 * `BODY_TIMEOUT` when it has not arrived after `withinMs`, and 400s for what is no JSON.
 */
export async function readJsonBody(
  request: Request,
  bounds: { maxBytes: number; withinMs?: number },
): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
  if (type !== 'application/json' && !type.endsWith('+json')) {
    throw new AppError(
      'UNSUPPORTED_CONTENT_TYPE',
      'Send the body as JSON with Content-Type: application/json',
    );
  }
  const bytes = await readBytes(request, { withinMs: JSON_BODY_MS, ...bounds });
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The body is not valid JSON');
  }
}

/** Reads a body as UTF-8. Throws like `readJsonBody`. */
export async function readTextBody(request: Request, bounds: { maxBytes: number }): Promise<string> {
  const bytes = await readBytes(request, { withinMs: JSON_BODY_MS, ...bounds });
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The body is not valid UTF-8');
  }
}

/** The error of a body above what its operation takes. */
export function bodyTooLarge(maxBytes: number): AppError {
  return new AppError(
    'PAYLOAD_TOO_LARGE',
    `The body is larger than ${maxBytes.toLocaleString('en-US')} bytes`,
    { details: { maxBytes } },
  );
}

async function readBytes(
  request: Request,
  { maxBytes, withinMs }: { maxBytes: number; withinMs: number },
): Promise<Uint8Array> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw bodyTooLarge(maxBytes);
  const reader = request.body?.getReader();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const timeout = new AppError('BODY_TIMEOUT', `The body did not arrive within ${withinMs / 1000} s`);
    timer = setTimeout(() => reject(timeout), withinMs);
  });
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    // Never cancelled: that would cut the connection while the client still sends, and it would not see the answer.
    for (;;) {
      const step = await Promise.race([reader?.read().catch(brokenOff), late]);
      if (!step || step.done) return Buffer.concat(parts);
      sizeBytes += step.value.byteLength;
      if (sizeBytes > maxBytes) throw bodyTooLarge(maxBytes);
      parts.push(step.value);
    }
  } finally {
    clearTimeout(timer);
  }
}

function brokenOff(error: unknown): never {
  throw new AppError('MALFORMED_REQUEST', 'The body could not be read', { cause: error });
}
