import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, extname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import send from 'send';
import { acceptedEncoding } from './accepted-encoding.ts';

/** What compresses, and what its copies are sent as: `send` reads the type off a name, and theirs ends otherwise. */
const COMPRESSIBLE: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** `send` has the registered name of this one, which no other server says. */
const TYPES: Record<string, string> = { ...COMPRESSIBLE, '.ico': 'image/x-icon' };

/** What is shorter fits into one packet either way. */
const MIN_BYTES = 1_024;

const ENDINGS = { br: '.br', gzip: '.gz' } as const;

/** Where files come from and under which path they are sent; a name with a hash in it never means another content. */
type Folder = { path: string; from: string; isHashed: boolean };

/** What the build of the dashboard and `public/` hold for browsers, and where their compressed copies are. */
export type StaticFolders = { folders: readonly Folder[]; compressed: string };

export function staticFolders(root: string, distDir: string): StaticFolders {
  return {
    folders: [
      { path: '/_next/static/', from: join(root, distDir, 'static'), isHashed: true },
      { path: '/', from: join(root, 'public'), isHashed: false },
    ],
    compressed: join(root, distDir, 'compressed'),
  };
}

/** Writes a Brotli and a gzip copy of each file that compresses, with the modes that `umask` leaves. */
export async function compressStaticFiles(
  { folders, compressed }: StaticFolders,
  umask: number,
): Promise<void> {
  for (const folder of folders) {
    for (const name of await listFiles(folder.from)) {
      if (!COMPRESSIBLE[extname(name)]) continue;
      const content = await readFile(join(folder.from, name));
      if (content.length < MIN_BYTES) continue;
      const { br, gzip } = await compressBoth(content);
      const copy = join(compressed, folder.path, name);
      // The mask is of the whole process: nothing else may run until it is as before.
      const ownUmask = process.umask(umask);
      mkdirSync(dirname(copy), { recursive: true });
      writeFileSync(`${copy}${ENDINGS.br}`, br);
      writeFileSync(`${copy}${ENDINGS.gzip}`, gzip);
      process.umask(ownUmask);
    }
  }
}

/** Level 6: all files in 0.14 s; 11 saves another 8 % and takes 3.5 s of every build (decision 0349). */
async function compressBoth(content: Buffer): Promise<Record<keyof typeof ENDINGS, Buffer>> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 6,
    [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return {
    br: await promisify(brotliCompress)(content, { params }),
    gzip: await promisify(gzip)(content, { level: 9 }),
  };
}

type StaticFile = { folder: Folder; name: string; isCompressed: boolean };

export type StaticFiles = {
  has(pathname: string): boolean;
  /**
   * Answers a request for one of them; false for every other path, and for a file that is gone by now: a next build takes
   * them away below a running service.
   */
  serve(request: IncomingMessage, response: ServerResponse, pathname: string): Promise<boolean>;
};

/** Reads which files there are. */
export async function createStaticFiles({ folders, compressed }: StaticFolders): Promise<StaticFiles> {
  const files = new Map<string, StaticFile>();
  for (const folder of folders) {
    const copies = new Set(await listFiles(join(compressed, folder.path)));
    for (const name of await listFiles(folder.from)) {
      const isCompressed = Object.values(ENDINGS).every((ending) => copies.has(`${name}${ending}`));
      files.set(`${folder.path}${name}`, { folder, name, isCompressed });
    }
  }
  const serve: StaticFiles['serve'] = async (request, response, pathname) => {
    const file = files.get(pathname);
    if (!file) return false;
    const { folder, name } = file;
    const encoding = file.isCompressed ? acceptedEncoding(request) : 'identity';
    const type = TYPES[extname(name)];
    if (file.isCompressed) response.setHeader('vary', 'Accept-Encoding');
    if (encoding !== 'identity') response.setHeader('content-encoding', encoding);
    if (type) response.setHeader('content-type', type);
    const sent =
      encoding === 'identity'
        ? { folder, name, root: folder.from }
        : { folder, name: `${name}${ENDINGS[encoding]}`, root: join(compressed, folder.path) };
    if (await sendFile(request, response, sent)) return true;
    response.removeHeader('content-encoding');
    response.removeHeader('content-type');
    return false;
  };
  return { has: (pathname) => files.has(pathname), serve };
}

/** Resolves once the file is found and being sent, or to false where it is not there. */
function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { folder, name, root }: { folder: Folder; name: string; root: string },
): Promise<boolean> {
  return new Promise((resolve) => {
    const file = send(request, encodeURI(name), {
      root,
      index: false,
      ...(folder.isHashed ? { immutable: true, maxAge: '1y' } : {}),
    });
    file.on('headers', () => resolve(true));
    file.on('error', (error: HttpError) => {
      if (error.status === 404) return resolve(false);
      refuse(response, error);
    });
    file.pipe(response);
  });
}

/** As `send` describes what it cannot answer: a condition or a range that the file does not meet. */
type HttpError = { status: number; headers?: Record<string, string> };

function refuse(response: ServerResponse, { status, headers = {} }: HttpError): void {
  if (response.headersSent) return void response.destroy();
  for (const name of ['cache-control', 'content-encoding', 'content-type', 'etag', 'last-modified'])
    response.removeHeader(name);
  response.writeHead(status, { ...headers, 'content-length': 0 }).end();
}

/** The files below a folder, by their path from there; none where it does not exist. */
export async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
