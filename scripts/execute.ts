import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

export const ROOT = new URL('..', import.meta.url).pathname;
export const CACHE = join(ROOT, 'node_modules/.cache/callwright');
const BIN = join(ROOT, 'node_modules/.bin');

export type Print = (text: string) => void;
export type Output = { code: number; text: string };

/** Runs a command of this checkout to its end; what it says is given back, and printed as it comes with `print`. */
export function execute(
  command: string,
  args: string[],
  options: { env?: Record<string, string>; print?: Print; yieldsToOthers?: boolean } = {},
): Promise<Output> {
  // At the lowest priority, what waits for real time is still punctual beside it.
  const [program, ...rest] = [...(options.yieldsToOthers ? ['nice', '-n', '19'] : []), command, ...args];
  const child = spawn(program ?? command, rest, {
    cwd: ROOT,
    env: { ...environment(), ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (part: Buffer) => {
      text += part.toString();
      options.print?.(part.toString());
    });
  }
  return new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 1, text: String(error) }));
    child.once('close', (code) => resolve({ code: code ?? 1, text }));
  });
}

/** What every process of the checks is started with. */
export function environment(): NodeJS.ProcessEnv {
  return {
    ...process.env,
    PATH: `${BIN}${delimiter}${process.env.PATH ?? ''}`,
    FORCE_COLOR: '0',
    // Half of what a process of the service costs to start is the reading of its modules (decision 0324).
    NODE_COMPILE_CACHE: join(CACHE, 'compiled'),
    NEXT_TELEMETRY_DISABLED: '1',
  };
}
