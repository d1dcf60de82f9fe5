import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

/** Waits until a service answers that it is ready. Throws where its process ended, and where `signal` is aborted before. */
export async function untilReady(service: ChildProcess, port: number, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/api/ready`).catch(() => undefined);
    if (answer?.ok) return;
    if (service.exitCode !== null) throw new Error('The service ended');
    await delay(50, undefined, { signal });
  }
}
