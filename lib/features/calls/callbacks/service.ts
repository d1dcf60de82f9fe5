import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, isAppError } from '#lib/errors.ts';
import { readTextBody } from '#lib/http/body.ts';
import { clientAddress, networkOf } from '#lib/http/client-address.ts';
import { errorResponse } from '#lib/http/error-response.ts';
import type { RateLimiter } from '#lib/http/rate-limit.ts';
import { describeError } from '#lib/log.ts';
import { CARRIER_KINDS, type CarrierKind } from '#lib/ports/carrier-kinds.ts';
import type { CarrierReply, CarrierWeb } from '#lib/ports/carrier-web.ts';
import type { WebConnection } from '#lib/ports/web-connection.ts';
import { CALLBACK_PATH, CARRIER_STREAM_PATH, MAX_CALLBACK_BYTES } from './contract.ts';

export type CarrierCallbacks = ReturnType<typeof createCarrierCallbacks>;

/** The line of a call that a carrier's server wants to bring the sound of. */
export type CarrierLine = { carrier: CarrierKind; reference: string };

/** What carriers' servers ask of ours. Whether a request is a carrier's own, its adapter checks. */
export function createCarrierCallbacks(
  deps: Pick<Dependencies, 'log'> & {
    rateLimiter: RateLimiter;
    web: Partial<Record<CarrierKind, CarrierWeb>>;
  },
) {
  function find(name: string | undefined): { carrier: CarrierKind; web: CarrierWeb } | undefined {
    const carrier = CARRIER_KINDS.find((kind) => kind === name);
    const web = carrier && deps.web[carrier];
    return web && { carrier, web };
  }

  async function reply(request: Request): Promise<CarrierReply> {
    const { pathname, search } = new URL(request.url);
    const [, name, topic = '', reference] = CALLBACK_PATH.exec(pathname) ?? [];
    const found = find(name);
    if (!found) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
    const answer = await found.web.reply({
      topic,
      reference: reference && decodeURIComponent(reference),
      url: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: await readTextBody(request, { maxBytes: MAX_CALLBACK_BYTES }),
    });
    if (answer.status === 404) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
    if (answer.status !== 403) return answer;
    await countStranger(clientAddress(request.headers), found.carrier);
    throw new AppError('FORBIDDEN', 'The request is not signed by the carrier');
  }

  /** Whoever guesses signatures is slowed down like any other who asks too much. */
  async function countStranger(address: string, carrier: CarrierKind): Promise<void> {
    deps.log.warn({ event: 'carrier_request_refused', carrier, network: networkOf(address) });
    await deps.rateLimiter.take(`address:${networkOf(address)}`, 'carrierCallback');
  }

  return {
    /** Answers a request below `/api/carriers`. Never rejects. */
    async serve(request: Request): Promise<Response> {
      const startedAt = performance.now();
      const event: Record<string, unknown> = { event: 'carrier_request' };
      let response: Response;
      try {
        const { status, contentType, body } = await reply(request);
        const headers = {
          'cache-control': 'no-store',
          ...(contentType ? { 'content-type': contentType } : {}),
        };
        response = new Response(body ?? null, { status, headers });
      } catch (error) {
        response = errorResponse(error);
        if (isAppError(error)) event.code = error.code;
        else event.error = describeError(error);
      }
      const [, carrier, topic] = CALLBACK_PATH.exec(new URL(request.url).pathname) ?? [];
      const durationMs = Math.round(performance.now() - startedAt);
      Object.assign(event, { carrier, topic, status: response.status, durationMs });
      deps.log[response.status >= 500 ? 'error' : 'info'](event);
      return response;
    },

    /** The call whose sound a request to become a WebSocket brings. Throws 403, and 404 for a carrier that there is not. */
    async admitStream(asked: {
      request: WebConnection['request'];
      pathname: string;
      address: string;
    }): Promise<CarrierLine> {
      const [, name, reference = ''] = CARRIER_STREAM_PATH.exec(asked.pathname) ?? [];
      const found = find(name);
      if (!found) throw new AppError('ROUTE_NOT_FOUND', 'Route not found');
      if (found.web.isGenuine(asked.request))
        return { carrier: found.carrier, reference: decodeURIComponent(reference) };
      await countStranger(asked.address, found.carrier);
      throw new AppError('FORBIDDEN', 'The request is not signed by the carrier');
    },

    /** What is entered at a carrier for calls that come in, as a path below `PUBLIC_URL`; undefined where nothing is. */
    incomingPath: (carrier: CarrierKind): string | undefined => deps.web[carrier]?.incomingPath,
  };
}
