import { deleteSavedView, updateSavedView } from '#lib/features/saved-views/contract.ts';
import { route } from '#lib/http/route.ts';

export const PATCH = route(updateSavedView)(async ({ actor, params, body, runtime }) => ({
  data: await runtime.savedViews.update(actor, params.viewId, body),
}));

export const DELETE = route(deleteSavedView)(async ({ actor, params, runtime }) => ({
  data: await runtime.savedViews.remove(actor, params.viewId),
}));
