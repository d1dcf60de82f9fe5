import { AppError } from '#lib/errors.ts';

/** How long a JSON body may take to arrive: the largest one within it needs a line of 1 Mbit/s. */
export const JSON_BODY_MS = 10_000;
const CHARSET = /;\s*charset\s*=\s*"?([^\s";]+)/i;
/** ASCII is UTF-8 as well. */
const UTF_8_CHARSETS = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);
/** Characters that an answer repeats of a header. */
const MAX_NAMED = 40;

/**
 * Reads and parses a JSON body, counting bytes while they come. Throws `PAYLOAD_TOO_LARGE` above `maxBytes`,
 * `BODY_TIMEOUT` when it has not arrived after `withinMs`, `UNSUPPORTED_ENCODING` for what is compressed or no UTF-8, and 400s
 * for what is no JSON.
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
  assertNotCompressed(request);
  assertUtf8(request);
  const text = await readTextBody(request, bounds);
  try {
    return JSON.parse(text);
  } catch {
    throw new AppError('MALFORMED_REQUEST', 'The body is not valid JSON');
  }
}

/** Throws `UNSUPPORTED_ENCODING` for a compressed body: what it would take in memory is not known before. */
export function assertNotCompressed(request: Request): void {
  const encoding = request.headers.get('content-encoding')?.trim().toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return;
  throw new AppError(
    'UNSUPPORTED_ENCODING',
    `A body with Content-Encoding: ${encoding.slice(0, MAX_NAMED)} is not taken; send it without compression`,
  );
}

function assertUtf8(request: Request): void {
  const charset = CHARSET.exec(request.headers.get('content-type') ?? '')?.[1]?.toLowerCase() ?? 'utf-8';
  if (UTF_8_CHARSETS.has(charset)) return;
  throw new AppError(
    'UNSUPPORTED_ENCODING',
    `A body with the charset ${charset.slice(0, MAX_NAMED)} is not taken; send it in UTF-8`,
  );
}

/** Reads a body as UTF-8. Throws like `readJsonBody`. */
export async function readTextBody(
  request: Request,
  bounds: { maxBytes: number; withinMs?: number },
): Promise<string> {
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
