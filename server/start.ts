import './give-memory-back.ts';
import './resolve-modules.ts';
import { enableCompileCache } from 'node:module';

// Everything the service writes is its user's alone; only the build is for whoever may run it.
const usualUmask = process.umask(0o077);
// What Node compiled is kept, for the processes of conversations too. A folder that cannot be written to is left out.
process.env.NODE_COMPILE_CACHE ??= new URL(
  '../node_modules/.cache/callwright/compiled',
  import.meta.url,
).pathname;
enableCompileCache(process.env.NODE_COMPILE_CACHE);
const [{ parseEnv }, { ensureBuild }, { runService }] = await Promise.all([
  import('#lib/env.ts'),
  import('./build.ts'),
  import('./main.ts'),
]);

const development = process.argv.includes('--dev');
if (development) Object.assign(process.env, { NODE_ENV: 'development' });

try {
  const env = parseEnv(process.env);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const ready = development || env.role === 'worker' ? Promise.resolve() : ensureBuild(say, usualUmask);
  await Promise.all([ready, runService(env, { development, ready })]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
