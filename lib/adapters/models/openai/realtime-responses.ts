import type { ModelUsage } from '#lib/ports/language-model.ts';
import { errorOf } from './failure.ts';
import type { SoundReader } from './realtime-audio.ts';
import type { RealtimeEvent } from './realtime-connection.ts';
import {
  createResponse,
  failureOf,
  finishResponse,
  recordOf,
  type Response,
  takeDone,
  takePart,
  usageOf,
} from './realtime-response.ts';

/**
 * The responses of a connection. An event names its response by the server's id, which is known from `response.created`
 * on; servers that do not give our metadata back are taken to begin responses in the order in which they were asked.
 */
export function createResponses(options: {
  send(event: Record<string, unknown>): void;
  openReader(): SoundReader;
  /** Of each response, also of one that was given up. */
  onUsage(usage: ModelUsage): void;
}) {
  const { send } = options;
  let responses: Response[] = [];
  let lastKey = 0;
  const open = () => responses.filter(({ isOver }) => !isOver);

  const sendCancel = ({ key, id }: Response) =>
    send({ type: 'response.cancel', event_id: `${key}_cancel`, response_id: id });

  function begin({ response }: RealtimeEvent): void {
    const { id, metadata } = recordOf(response);
    const begun = unnamed(open(), recordOf(metadata).key);
    if (!begun || typeof id !== 'string') return;
    begun.id = id;
    if (begun.isCancelled) sendCancel(begun);
  }

  return {
    /** Asks for a response. */
    create(request: { isLine: boolean; response: Record<string, unknown> }): Response {
      const response = createResponse(`ask_${(lastKey += 1)}`, request.isLine, options.openReader());
      responses = [...open(), response];
      const asked = { ...request.response, metadata: { key: response.key } };
      send({ type: 'response.create', event_id: response.key, response: asked });
      return response;
    },
    take(event: RealtimeEvent): void {
      if (event.type === 'response.created') return begin(event);
      const response = named(open(), event);
      if (!response) return;
      if (event.type !== 'response.done') return takePart(response, event);
      const done = recordOf(event.response);
      const usage = usageOf(done.usage);
      if (usage) options.onUsage(usage);
      takeDone(response, done);
    },
    cancel(response: Response): void {
      if (response.isCancelled || response.isOver) return;
      response.isCancelled = true;
      response.events.close();
      // Before it has begun it has no name; `begin` cancels it then.
      if (response.id !== undefined) sendCancel(response);
    },
    /** An answer that the server still works at, perhaps only at giving it up. */
    active: (): Response | undefined => open().find(({ isLine }) => !isLine),
    /** Takes an error that is about a response; false where it is about something else. */
    takeError(event: RealtimeEvent): boolean {
      const error = errorOf(event);
      // It had ended by itself meanwhile.
      if (error.code === 'response_cancel_not_active' || error.eventId.endsWith('_cancel')) return true;
      const mayBeFirst = error.eventId === '' && /response/.test(error.code);
      const response =
        open().find(({ key }) => key === error.eventId) ?? (mayBeFirst ? open()[0] : undefined);
      if (response) finishResponse(response, failureOf(error));
      return response !== undefined;
    },
    /** The connection is gone, and everything on it. */
    lose(error: unknown): void {
      for (const response of open()) finishResponse(response, error);
    },
  };
}

function unnamed(open: readonly Response[], key: unknown): Response | undefined {
  const waiting = open.filter(({ id }) => id === undefined);
  return waiting.find((response) => response.key === key) ?? waiting[0];
}

function named(open: readonly Response[], event: RealtimeEvent): Response | undefined {
  const id = event.response_id ?? recordOf(event.response).id;
  const known = open.find((response) => response.id === id);
  // A server may name none at all.
  return known ?? (id === undefined && open.length === 1 ? open[0] : undefined);
}
