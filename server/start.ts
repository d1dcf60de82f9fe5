import { parseEnv } from '#lib/env.ts';
import { ensureBuild } from './build.ts';
import { runService } from './main.ts';

const development = process.argv.includes('--dev');
if (development) Object.assign(process.env, { NODE_ENV: 'development' });

try {
  const env = parseEnv(process.env);
  const say = (line: string) => process.stdout.write(`${line}\n`);
  const ready = development || env.role === 'worker' ? Promise.resolve() : ensureBuild(say);
  await Promise.all([ready, runService(env, { development, ready })]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
