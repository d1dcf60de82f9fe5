import type { Actor, WorkspaceId } from '#lib/auth/actor.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import { describeError } from '#lib/log.ts';
import type { Clock } from '#lib/ports/clock.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CallEvent } from '../contract.ts';
import { type EventScope, findCallStatus, findLastEventId, listEventsAfter } from '../repository.ts';

/** What another process writes is seen after at most this long; what this one writes, at once. */
const POLL_MS = 500;
/** A comment now and then keeps proxies from cutting a quiet connection, and finds dead ones. */
const KEEP_ALIVE_MS = 15_000;
const BATCH = 200;
/** Transactions of different calls may commit out of the order of their ids: younger events are looked at again. */
const SETTLED_MS = 5_000;

export type CallEventService = ReturnType<typeof createCallEventService>;

type Follow = { workspaceId: WorkspaceId; scope: EventScope; topic: string; afterId: number };

/** Live views as server-sent events, read from the database so that any process can serve any call. */
export function createCallEventService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'log'> & { notifier: CallNotifier },
) {
  const { db, clock } = deps;

  return {
    /** Follows one call from its first event, or after `after`; ends after `call.ended`. Throws 403 and 404. */
    async streamCall(
      actor: Actor,
      callId: string,
      request: Request,
      after: number | undefined,
    ): Promise<Response> {
      await findCallStatus(db, actor.workspaceId, callId);
      const afterId = positionOf(request, after) ?? 0;
      return respond(
        { workspaceId: actor.workspaceId, scope: { callId }, topic: callId, afterId },
        request.signal,
      );
    },

    /** Follows the state changes of all calls of the workspace, from now or after `after`. */
    async streamWorkspace(actor: Actor, request: Request, after: number | undefined): Promise<Response> {
      const { workspaceId } = actor;
      const afterId = positionOf(request, after) ?? (await findLastEventId(db, workspaceId));
      return respond(
        { workspaceId, scope: { onlyStates: true }, topic: workspaceId, afterId },
        request.signal,
      );
    },
  };

  function respond(follow: Follow, clientSignal: AbortSignal): Response {
    const closed = new AbortController();
    const signal = AbortSignal.any([clientSignal, closed.signal]);
    const messages = messagesOf(follow, signal);
    const encoder = new TextEncoder();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          const { value, done } = await messages.next();
          if (done) controller.close();
          else controller.enqueue(encoder.encode(value));
        } catch (error) {
          if (!signal.aborted) deps.log.error({ event: 'stream_failed', error: describeError(error) });
          controller.close();
        }
      },
      cancel() {
        closed.abort();
      },
    });
    return new Response(body, {
      headers: {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store, no-transform',
        'x-accel-buffering': 'no',
      },
    });
  }

  async function* messagesOf(follow: Follow, signal: AbortSignal): AsyncGenerator<string, void> {
    yield 'retry: 2000\n\n';
    const cursor = createCursor(follow.afterId);
    let quietSince = clock.now().getTime();
    while (!signal.aborted) {
      const hint = deps.notifier.waitFor(follow.topic);
      try {
        const rows = await listEventsAfter(db, follow.workspaceId, follow.scope, cursor.position(), BATCH);
        const fresh = cursor.take(rows, clock.now());
        for (const row of fresh) {
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
        if (fresh.length < BATCH) await wokenOrLater(hint.woken, clock, signal);
      } finally {
        hint.cancel();
      }
    }
  }
}

async function wokenOrLater(woken: Promise<void>, clock: Clock, signal: AbortSignal): Promise<void> {
  const stop = new AbortController();
  const later = clock.sleep(POLL_MS, AbortSignal.any([signal, stop.signal])).catch(() => undefined);
  await Promise.race([woken, later]);
  stop.abort();
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

function messageOf(event: CallEvent & { workspaceId?: string }): string {
  const { id, callId, type, at, data } = event;
  return `id: ${id}\ndata: ${JSON.stringify({ id, callId, type, at, data })}\n\n`;
}

/** `Last-Event-ID` is what a browser sends when it reconnects by itself; it wins over the address it began with. */
function positionOf(request: Request, after: number | undefined): number | undefined {
  const header = request.headers.get('last-event-id');
  return header !== null && /^\d{1,15}$/.test(header) ? Number(header) : after;
}
