import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { EVENT_SCHEMA } from '#lib/http/openapi.ts';

/** Where the generated part of the TypeScript client lies, below the repository's root. */
export const CLIENT_FOLDER = 'clients/typescript/src/generated';

/** The generator's own runtime, in folders below, is not written for `exactOptionalPropertyTypes`. */
const UNCHECKED = '// @ts-nocheck\n';

/** The files of the TypeScript client that are generated from an OpenAPI document, by their path below its folder. */
export async function generateClient(document: Record<string, unknown>): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'callwright-client-'));
  try {
    await createClient({
      input: withTypedEvents(document),
      output: { path: folder, module: { extension: '.ts' }, entryFile: false },
      logs: { level: 'silent' },
      plugins: [
        { name: '@hey-api/client-fetch', throwOnError: true, baseUrl: false },
        '@hey-api/typescript',
        {
          name: '@hey-api/sdk',
          responseStyle: 'data',
          operations: { strategy: 'single', containerName: 'CallwrightOperations' },
        },
      ],
    });
    const texts = await readFolder(folder);
    return new Map(
      [...texts].map(([path, text]) => [
        path,
        path.includes('/') ? `${UNCHECKED}${withoutStreamSettings(path, text)}` : text,
      ]),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The generator takes the schema of an event stream as that of its events. */
function withTypedEvents(document: Record<string, unknown>): Record<string, unknown> {
  const text = JSON.stringify(document, (key, value: Record<string, unknown>) =>
    key === 'text/event-stream' && EVENT_SCHEMA in value ? { schema: value[EVENT_SCHEMA] } : value,
  );
  return JSON.parse(text) as Record<string, unknown>;
}

const STREAM_SETTINGS = /,\n\s+Pick<\s+ServerSentEventsOptions<TData>,[^>]*>(?= \{)/;

/** `clients/typescript/src/events.ts` reads the streams, and has none of the settings for repeating requests. */
function withoutStreamSettings(path: string, text: string): string {
  if (path !== 'client/types.gen.ts') return text;
  const [settings] = STREAM_SETTINGS.exec(text) ?? [];
  if (!settings) throw new Error('The settings of event streams were not found in what is generated');
  return text.replace(settings, '').replace('  ServerSentEventsOptions,\n', '');
}

/** The texts of a folder's files, by their path in it; none where there is no folder. */
export async function readFolder(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const texts = new Map<string, string>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = join(entry.parentPath, entry.name);
    texts.set(path.slice(folder.length + 1), await readFile(path, 'utf8'));
  }
  return texts;
}
