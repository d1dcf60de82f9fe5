import { runtime } from '#lib/current-runtime.ts';
import type { RouteHandler } from './route.ts';

const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST',
  'access-control-allow-headers': 'authorization, content-type',
  'access-control-max-age': '600',
};

/**
 * Lets pages of a widget's allowed origins, and no others, read what a route answers (CORS). Cookies are neither allowed nor
 * read: the answer would be the same for everybody.
 */
export function forWidgetPages(handle: RouteHandler): RouteHandler {
  return async (request, context) => {
    const response = await handle(request, context);
    const headers = await allowanceOf(request, await context.params);
    for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
    return response;
  };
}

/** What a browser asks before it sends a request with a token or JSON. */
export const answerPreflight: RouteHandler = async (request, context) => {
  const headers = await allowanceOf(request, await context.params);
  const isAllowed = 'access-control-allow-origin' in headers;
  return new Response(null, {
    status: isAllowed ? 204 : 403,
    headers: { ...headers, ...(isAllowed ? PREFLIGHT : {}), 'cache-control': 'no-store' },
  });
};

async function allowanceOf(
  request: Request,
  { widgetId = '' }: Record<string, string>,
): Promise<Record<string, string>> {
  const origin = request.headers.get('origin');
  const isAllowed = origin !== null && (await runtime().chatWidgets.allows(widgetId, origin));
  if (!isAllowed) return { vary: 'Origin' };
  return {
    vary: 'Origin',
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'retry-after',
  };
}
