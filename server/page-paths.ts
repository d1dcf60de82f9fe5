import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { listFiles } from './static-files.ts';

/** What Next's build writes down about its routes; the expressions match whole paths. */
const manifestSchema = z.object({
  staticRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  dynamicRoutes: z.array(z.object({ page: z.string(), regex: z.string() })),
  redirects: z.array(z.object({ regex: z.string(), internal: z.boolean().optional() })),
});

/**
 * Reads which paths outside the API exist in a build: its pages, its redirects, its scripts and styles, and the
 * files in `public/`.
 */
export async function readPagePaths(root: string, distDir: string): Promise<(pathname: string) => boolean> {
  const manifest = manifestSchema.parse(
    JSON.parse(await readFile(join(root, distDir, 'routes-manifest.json'), 'utf8')),
  );
  // Next's own pages, such as `/_not-found`, are nobody's to ask for.
  const pages = [...manifest.staticRoutes, ...manifest.dynamicRoutes].filter(
    (route) => !route.page.startsWith('/api/') && !route.page.startsWith('/_'),
  );
  const redirects = manifest.redirects.filter((redirect) => !redirect.internal);
  const patterns = [...pages, ...redirects].map((route) => new RegExp(route.regex));
  const files = new Set((await listFiles(join(root, 'public'))).map((name) => `/${name}`));
  return (pathname) =>
    pathname.startsWith('/_next/static/') ||
    files.has(pathname) ||
    patterns.some((pattern) => pattern.test(pathname));
}
