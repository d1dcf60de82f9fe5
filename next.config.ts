import type { NextConfig } from 'next';

// Node reads it itself (`CONFIG_READ_BY_NODE`): what Node cannot run by leaving types out has no place here.
const config: NextConfig = {
  // The custom server normalises paths itself (lib/http/gate.ts): a redirect would turn a POST into a GET.
  skipTrailingSlashRedirect: true,
  poweredByHeader: false,
  // The server in front compresses (server/http.ts), and files are compressed by the build (server/static-files.ts).
  // Next would compress every answer, however small.
  compress: false,
  images: { unoptimized: true },
  // Once, as the rest of the service has it: bundled it would be in memory with each of thirteen groups of routes.
  serverExternalPackages: ['zod'],
  // Types are a check of their own (`npm run types`); repeating them here doubles the first start.
  typescript: { ignoreBuildErrors: true },
  // Two builds of one checkout must not write into one folder (tests build beside a running service).
  distDir: process.env.NEXT_DIST_DIR ?? '.next',
  devIndicators: false,
  experimental: {
    // A build is made once per version: writing 90 MB for a next one took a quarter of its time (decision 0155).
    turbopackFileSystemCacheForBuild: false,
    // Nobody reads those of the server: Node would have to be told to. A seventh of the build's time, 48 of its 81 MB.
    turbopackSourceMaps: false,
  },
  // The webhooks stood beside the settings once; saved links to a delivery still lead to it.
  redirects: () =>
    Promise.resolve([
      {
        source: '/w/:workspaceId/webhooks/:path*',
        destination: '/w/:workspaceId/settings/webhooks/:path*',
        permanent: true,
      },
    ]),
};

export default config;
