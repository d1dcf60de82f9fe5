import type { Runtime } from './runtime.ts';

const KEY = Symbol.for('callwright.runtime');
type Holder = { [KEY]?: Runtime };

/**
 * The process's services. `server/main.ts` builds them once and hangs them here, because Next gives routes,
 * pages and instrumentation separate copies of every module; only the type is imported, so no bundle holds them.
 */
export function runtime(): Runtime {
  const current = (globalThis as Holder)[KEY];
  if (!current)
    throw new Error('The runtime is not started: run the service with `npm start` or `npm run dev`.');
  return current;
}

export function setRuntime(value: Runtime | undefined): void {
  if (value) (globalThis as Holder)[KEY] = value;
  else delete (globalThis as Holder)[KEY];
}
