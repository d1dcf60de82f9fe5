import type { Access } from '#lib/auth/access-watch.ts';
import type { Actor } from '#lib/auth/actor.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import type { CallWatching } from '#lib/features/calls/watching/service.ts';
import type { LiveWords } from '#lib/engine/supervision.ts';
import { AppError } from '#lib/errors.ts';
import { describeError, type Logger } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { findCallStatus, findLastEventId } from '../repository.ts';
import { BATCH, createCursor, type EventRow } from './cursor.ts';
import { createEventFeeds, type EventFeed, type Followed } from './feeds.ts';
import { createLiveWords, type LiveWordsReader } from './live-words.ts';

/** A comment now and then keeps proxies from cutting a quiet connection, and finds dead ones. */
const KEEP_ALIVE_MS = 15_000;
/** How soon the words of a conversation that has just begun are looked for again. */
const ATTACH_EVERY_MS = 500;
/** Streams that are open at once in a process. Each shown page of the dashboard has one or two. */
const MOST_OF_ONE = 50;
const MOST_OF_WORKSPACE = 1_000;
const AGAIN_AFTER_SECONDS = 15;

export type CallEventService = ReturnType<typeof createCallEventService>;

type EventDeps = Pick<Dependencies, 'db' | 'clock' | 'log'> & {
  notifier: CallNotifier;
  watching: Pick<CallWatching, 'find'>;
};
/** `watchAccess` is left out for whoever belongs to the service. */
type Caller = { actor: Actor; request: Request; watchAccess?: () => Promise<Access> };

/**
 * Live views as server-sent events, read from the database so that any process can serve any call, once for all who
 * follow the same. A stream ends within seconds once its caller has signed out, was removed, or may no longer read it,
 * whichever process that happened on.
 */
export function createCallEventService(deps: EventDeps) {
  const { db } = deps;
  const feeds = createEventFeeds(deps);
  const open = { ofOne: createCounter(MOST_OF_ONE), ofWorkspace: createCounter(MOST_OF_WORKSPACE) };

  return {
    /**
     * Follows one call from its first event, or after `after`; ends after `call.ended`. Throws 403, 404, and 429 with too
     * many open streams.
     */
    async streamCall(caller: Caller, callId: string, after: number | undefined): Promise<Response> {
      const { workspaceId } = caller.actor;
      await findCallStatus(db, workspaceId, callId);
      const afterId = positionOf(caller.request, after) ?? 0;
      return respond({ workspaceId, scope: { callId }, topic: callId }, caller, {
        afterId,
        newestId: afterId,
      });
    },

    /** Follows the state changes of all calls of the workspace, from now or after `after`. Throws 429 as above. */
    async streamWorkspace(caller: Caller, after: number | undefined): Promise<Response> {
      const { workspaceId } = caller.actor;
      const newestId = await findLastEventId(db, workspaceId);
      const afterId = positionOf(caller.request, after) ?? newestId;
      const followed = { workspaceId, scope: { onlyStates: true }, topic: workspaceId } as const;
      return respond(followed, caller, { afterId, newestId });
    },
  };

  async function respond(
    followed: Followed,
    { actor, request, watchAccess }: Caller,
    { afterId, newestId }: { afterId: number; newestId: number },
  ): Promise<Response> {
    const letGo = takePlaces(actor);
    const access = await watchAccess?.().catch((error: unknown) => {
      letGo();
      throw error;
    });
    const feed = feeds.join(followed, newestId);
    const closed = new AbortController();
    const signal = AbortSignal.any([request.signal, closed.signal, ...(access ? [access.lost] : [])]);
    const onEnd = () => {
      if (closed.signal.aborted) return;
      closed.abort();
      feed.leave();
      access?.stop();
      letGo();
    };
    signal.addEventListener('abort', onEnd, { once: true });
    if (signal.aborted) onEnd();
    const messages = messagesOf(deps, { followed, feed, afterId }, signal);
    return new Response(streamOf(messages, { signal, log: deps.log, onEnd }), {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }

  function takePlaces({ id, workspaceId }: Actor): () => void {
    const ofOne = open.ofOne.take(`${workspaceId} ${id}`, 'You');
    try {
      const ofWorkspace = open.ofWorkspace.take(workspaceId, 'The people and systems of this workspace');
      return () => {
        ofOne();
        ofWorkspace();
      };
    } catch (error) {
      ofOne();
      throw error;
    }
  }
}

/** Counts what is open under a name, and refuses more than `most`. What it gives lets go of the place. */
function createCounter(most: number) {
  const counts = new Map<string, number>();
  return {
    take(name: string, whose: string): () => void {
      const count = counts.get(name) ?? 0;
      if (count >= most)
        throw new AppError('RATE_LIMITED', `${whose} already follow ${most} live views; close some first`, {
          retryAfterSeconds: AGAIN_AFTER_SECONDS,
        });
      counts.set(name, count + 1);
      return () => {
        const left = (counts.get(name) ?? 1) - 1;
        if (left === 0) counts.delete(name);
        else counts.set(name, left);
      };
    },
  };
}

/** What a reader is sent, for as long as they may read it. */
async function* messagesOf(
  deps: EventDeps,
  { followed, feed, afterId }: { followed: Followed; feed: EventFeed; afterId: number },
  signal: AbortSignal,
): AsyncGenerator<string, void> {
  const { clock } = deps;
  const { workspaceId, scope } = followed;
  yield 'retry: 2000\n\n';
  const cursor = createCursor(afterId);
  const words =
    'callId' in scope
      ? createLiveWords(() => deps.watching.find(workspaceId, scope.callId), signal)
      : undefined;
  let quietSince = clock.now().getTime();
  while (!signal.aborted) {
    const news = feed.waitForNews();
    try {
      const rows = await feed.after(cursor.position());
      const fresh = cursor.take(rows, clock.now());
      for (const row of fresh) {
        // A slow reader takes its time over one batch.
        if (signal.aborted) return;
        yield messageOf(row);
        if ('callId' in scope && row.type === 'call.ended') return;
      }
      if (fresh.length === 0 && feed.isOver()) return;
      const now = clock.now().getTime();
      if (fresh.length > 0) quietSince = now;
      else if (now - quietSince >= KEEP_ALIVE_MS) {
        quietSince = now;
        yield ': still here\n\n';
      }
      if (fresh.length < BATCH) yield* wordsUntilWoken(news.woken, { words, clock, signal });
    } finally {
      news.cancel();
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

/** What is being said until something is stored, or it is time for a sign of life. */
async function* wordsUntilWoken(
  woken: Promise<void>,
  { words, clock, signal }: { words: LiveWordsReader | undefined; clock: Clock; signal: AbortSignal },
): AsyncGenerator<string, void> {
  const stop = new AbortController();
  try {
    const hasWords = await words?.attach();
    const ms = hasWords === false ? ATTACH_EVERY_MS : KEEP_ALIVE_MS;
    const later = clock.sleep(ms, AbortSignal.any([signal, stop.signal])).catch(() => undefined);
    const over = Promise.race([woken, later]).then(() => true);
    const spoken = () => (words ? [words.changed().then(() => false)] : []);
    while (!(await Promise.race([over, ...spoken()])))
      for (const each of words?.take() ?? []) yield wordsMessage(each);
  } finally {
    stop.abort();
  }
}

/** Without an id: whoever comes back gets the turn that it became. */
function wordsMessage(words: LiveWords): string {
  return `event: words\ndata: ${JSON.stringify({ type: 'words', ...words })}\n\n`;
}

function messageOf({ id, callId, type, at, data }: EventRow): string {
  return `id: ${id}\ndata: ${JSON.stringify({ id, callId, type, at: at.toISOString(), data })}\n\n`;
}

/** `Last-Event-ID` is what a browser sends when it reconnects by itself; it wins over the address it began with. */
function positionOf(request: Request, after: number | undefined): number | undefined {
  const header = request.headers.get('last-event-id');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : after;
}
