import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import type { CallWatching } from '#lib/features/calls/watching/service.ts';
import type { LiveWords } from '#lib/engine/supervision.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallEvent } from '../contract.ts';
import { createLiveWords, type LiveWordsReader } from './live-words.ts';
import { type EventScope, findCallStatus, findLastEventId, listEventsAfter } from '../repository.ts';

/** What another process writes is seen after at most this long; what this one writes, at once. */
const POLL_MS = 500;
/** A comment now and then keeps proxies from cutting a quiet connection, and finds dead ones. */
const KEEP_ALIVE_MS = 15_000;
const BATCH = 200;
/** Whoever may no longer read is noticed after at most this long, and what this process waits for besides. */
const RECHECK_MS = 2_000;
/** Transactions of different calls may commit out of the order of their ids: younger events are looked at again. */
const SETTLED_MS = 5_000;

export type CallEventService = ReturnType<typeof createCallEventService>;

type Follow = { workspaceId: WorkspaceId; scope: EventScope; topic: string; afterId: number };

/** Whether the caller may still read what they were allowed to at the beginning. */
export type MayContinue = () => Promise<boolean>;

type EventDeps = Pick<Dependencies, 'db' | 'clock' | 'log'> & {
  notifier: CallNotifier;
  watching: Pick<CallWatching, 'find'>;
};
type Caller = { actor: Actor; request: Request; mayContinue: MayContinue };

/**
 * Live views as server-sent events, read from the database so that any process can serve any call. A stream ends
 * within seconds once its caller has signed out, was removed, or may no longer read it, whichever process that
 * happened on.
 */
export function createCallEventService(deps: EventDeps) {
  const { db, clock } = deps;

  return {
    /** Follows one call from its first event, or after `after`; ends after `call.ended`. Throws 403 and 404. */
    async streamCall(caller: Caller, callId: string, after: number | undefined): Promise<Response> {
      const { workspaceId } = caller.actor;
      await findCallStatus(db, workspaceId, callId);
      const afterId = positionOf(caller.request, after) ?? 0;
      return respond({ workspaceId, scope: { callId }, topic: callId, afterId }, caller);
    },

    /** Follows the state changes of all calls of the workspace, from now or after `after`. */
    async streamWorkspace(caller: Caller, after: number | undefined): Promise<Response> {
      const { workspaceId } = caller.actor;
      const afterId = positionOf(caller.request, after) ?? (await findLastEventId(db, workspaceId));
      return respond({ workspaceId, scope: { onlyStates: true }, topic: workspaceId, afterId }, caller);
    },
  };

  function respond(follow: Follow, { request, mayContinue }: Caller): Response {
    const closed = new AbortController();
    const signal = AbortSignal.any([request.signal, closed.signal]);
    const messages = messagesOf(deps, follow, {
      signal,
      mayContinue: every(RECHECK_MS, clock, mayContinue),
    });
    return new Response(streamOf(messages, { signal, log: deps.log, onEnd: () => closed.abort() }), {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }
}

/** What a reader is sent, for as long as they may read it. */
async function* messagesOf(
  deps: EventDeps,
  follow: Follow,
  { signal, mayContinue }: { signal: AbortSignal; mayContinue: MayContinue },
): AsyncGenerator<string, void> {
  const { db, clock } = deps;
  yield 'retry: 2000\n\n';
  const cursor = createCursor(follow.afterId);
  const { workspaceId, scope } = follow;
  const words =
    'callId' in scope
      ? createLiveWords(() => deps.watching.find(workspaceId, scope.callId), signal)
      : undefined;
  let quietSince = clock.now().getTime();
  while (!signal.aborted && (await mayContinue())) {
    const hint = deps.notifier.waitFor(follow.topic);
    try {
      const rows = await listEventsAfter(db, follow.workspaceId, follow.scope, cursor.position(), BATCH);
      const fresh = cursor.take(rows, clock.now());
      for (const row of fresh) {
        // A slow reader takes its time over one batch.
        if (!(await mayContinue())) return;
        yield messageOf({ ...row, at: row.at.toISOString() });
        if ('callId' in follow.scope && row.type === 'call.ended') return;
      }
      if (fresh.length > 0) quietSince = clock.now().getTime();
      else if (
        'callId' in follow.scope &&
        (await findCallStatus(db, follow.workspaceId, follow.scope.callId)) === 'ended'
      )
        return;
      else if (clock.now().getTime() - quietSince >= KEEP_ALIVE_MS) {
        quietSince = clock.now().getTime();
        yield ': still here\n\n';
      }
      if (fresh.length < BATCH) yield* wordsUntilWoken(hint.woken, { words, clock, signal });
    } finally {
      hint.cancel();
    }
  }
}

/** The messages as bytes, each made when the reader asks for it. What fails ends the stream and is logged. */
function streamOf(
  messages: AsyncGenerator<string, void>,
  { signal, log, onEnd }: { signal: AbortSignal; log: Logger; onEnd: () => void },
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { value, done } = await messages.next();
        if (!done) return controller.enqueue(encoder.encode(value));
      } catch (error) {
        if (!signal.aborted) log.error({ event: 'stream_failed', error: describeError(error) });
      }
      onEnd();
      controller.close();
    },
    cancel: onEnd,
  });
}

/** Asks at most once in `ms`; a "no" is final. The first answer was given when the stream began. */
function every(ms: number, clock: Clock, ask: MayContinue): MayContinue {
  let askedAtMs = clock.now().getTime();
  let answer = true;
  return async () => {
    const nowMs = clock.now().getTime();
    if (answer && nowMs - askedAtMs >= ms) {
      askedAtMs = nowMs;
      answer = await ask();
    }
    return answer;
  };
}

/** What is being said until something is stored, or may have been by another process. */
async function* wordsUntilWoken(
  woken: Promise<void>,
  { words, clock, signal }: { words: LiveWordsReader | undefined; clock: Clock; signal: AbortSignal },
): AsyncGenerator<string, void> {
  const stop = new AbortController();
  const later = clock.sleep(POLL_MS, AbortSignal.any([signal, stop.signal])).catch(() => undefined);
  const over = Promise.race([woken, later]).then(() => true);
  try {
    await words?.attach();
    const spoken = () => (words ? [words.changed().then(() => false)] : []);
    while (!(await Promise.race([over, ...spoken()])))
      for (const each of words?.take() ?? []) yield wordsMessage(each);
  } finally {
    stop.abort();
  }
}

type Row = { id: number; callId: string; type: string; at: Date; data: Record<string, unknown> };

/** Remembers what was sent. Its position stays behind events so young that an older id may still appear. */
function createCursor(afterId: number) {
  let position = afterId;
  let sent = new Set<number>();
  return {
    position: () => position,
    take(rows: readonly Row[], now: Date): Row[] {
      const fresh = rows.filter((row) => !sent.has(row.id));
      for (const row of fresh) sent.add(row.id);
      const settled = rows.filter((row) => now.getTime() - row.at.getTime() > SETTLED_MS);
      // A full batch of young events must not block the view.
      const last = rows.length >= BATCH ? rows.at(-1) : settled.at(-1);
      if (last && last.id > position) {
        position = last.id;
        sent = new Set([...sent].filter((id) => id > position));
      }
      return fresh;
    },
  };
}

/** Without an id: whoever comes back gets the turn that it became. */
function wordsMessage(words: LiveWords): string {
  return `event: words\ndata: ${JSON.stringify({ type: 'words', ...words })}\n\n`;
}

function messageOf(event: CallEvent & { workspaceId?: string }): string {
  const { id, callId, type, at, data } = event;
  return `id: ${id}\ndata: ${JSON.stringify({ id, callId, type, at, data })}\n\n`;
}

/** `Last-Event-ID` is what a browser sends when it reconnects by itself; it wins over the address it began with. */
function positionOf(request: Request, after: number | undefined): number | undefined {
  const header = request.headers.get('last-event-id');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : after;
}
