import { parseEnv } from '#lib/env.ts';
import { ensureBuild } from './build.ts';
import { runService } from './main.ts';

// Everything the service writes is its user's alone; only the build is for whoever may run it.
const usualUmask = process.umask(0o077);
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
