import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import inject from 'light-my-request';
import { acceptedEncoding, type ContentEncoding } from './accepted-encoding.ts';

type NextHandler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export const REFERENCE_PATH = '/docs';

/** Sources of a Content-Security-Policy that allow exactly the inline scripts and styles of one document. */
export type InlineHashes = { scripts: string[]; styles: string[] };

export type RenderedPage = { etag: string; hashes: InlineHashes; bodies: Record<ContentEncoding, Buffer> };

/**
 * The API reference, rendered once: it is the same for everybody until the next start, and a megabyte that took Next
 * 400 ms a view. Without a nonce, which would have to be another one each time; its scripts are allowed by their hash.
 */
export function createReferencePage(handle: NextHandler): () => Promise<RenderedPage> {
  let rendered: Promise<RenderedPage> | undefined;
  return () => {
    rendered ??= render(handle).catch((error: unknown) => {
      rendered = undefined;
      throw error;
    });
    return rendered;
  };
}

async function render(handle: NextHandler): Promise<RenderedPage> {
  const answer = await inject((request, response) => void handle(request as IncomingMessage, response), {
    method: 'GET',
    url: REFERENCE_PATH,
    headers: { accept: 'text/html' },
  });
  if (answer.statusCode !== 200) throw new Error(`the reference page answered ${answer.statusCode}`);
  const html = answer.rawPayload;
  const text = html.toString();
  return {
    etag: `"${createHash('sha256').update(html).digest('base64url').slice(0, 27)}"`,
    hashes: { scripts: hashesOf(text, 'script'), styles: hashesOf(text, 'style') },
    bodies: {
      br: await promisify(brotliCompress)(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }),
      gzip: await promisify(gzip)(html, { level: 9 }),
      identity: html,
    },
  };
}

function hashesOf(html: string, element: 'script' | 'style'): string[] {
  const found = html.matchAll(new RegExp(`<${element}(?![^>]*\\ssrc=)[^>]*>(.*?)</${element}>`, 'gs'));
  return [...found].map(
    ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
  );
}

/** Answers with the page, or 304 where the browser has it. The security headers are set already. */
export function sendPage(request: IncomingMessage, response: ServerResponse, page: RenderedPage): void {
  const encoding = acceptedEncoding(request);
  const body = page.bodies[encoding];
  response.setHeader('etag', page.etag);
  response.setHeader('vary', 'Accept-Encoding');
  // Kept, and asked for again: the next release has another page under the same address.
  response.setHeader('cache-control', 'no-cache');
  if (
    request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === page.etag)
  ) {
    response.writeHead(304).end();
    return;
  }
  if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-length', body.byteLength);
  response.writeHead(200).end(request.method === 'HEAD' ? undefined : body);
}
