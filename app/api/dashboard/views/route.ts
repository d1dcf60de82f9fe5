import { createSavedView, listSavedViews } from '#lib/features/saved-views/contract.ts';
import { route } from '#lib/http/route.ts';

export const GET = route(listSavedViews)(async ({ actor, runtime }) => ({
  data: { views: await runtime.savedViews.list(actor) },
}));

export const POST = route(createSavedView)(async ({ actor, body, runtime }) => ({
  data: await runtime.savedViews.create(actor, body),
}));
