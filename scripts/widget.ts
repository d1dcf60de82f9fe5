import { build } from 'esbuild';

/** The largest that the widget's script may be: it is on every page of somebody's website. */
const MAX_BYTES = 20_000;

/** The script of the website widget as one file: lib/chat-widget with what it imports. Throws where it grew too large. */
export async function buildWidget(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [new URL('../lib/chat-widget/main.ts', import.meta.url).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    banner: {
      js: '/* Callwright chat widget, Apache-2.0. Made of lib/chat-widget by `npm run drift -- --write`. */',
    },
  });
  const text = outputFiles[0]?.text ?? '';
  const bytes = Buffer.byteLength(text);
  if (bytes === 0 || bytes > MAX_BYTES)
    throw new Error(`the widget has ${bytes} bytes, and ${MAX_BYTES} are allowed`);
  return text;
}
