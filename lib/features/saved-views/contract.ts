import { z } from 'zod';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText } from '#lib/http/schemas.ts';

export const MAX_VIEW_NAME = 60;
const MAX_QUERY = 2_000;

export const savedView = z.object({
  id: z.string(),
  name: z.string(),
  isShared: z.boolean(),
  /** The filters as they stand in the address of the list, without `?`. */
  query: z.string(),
  owner: z.string().describe('E-mail address'),
  isOwn: z.boolean(),
  /** Its owner; of a shared one also admins. */
  mayChange: z.boolean(),
});
export type SavedView = z.output<typeof savedView>;

const name = requiredText(MAX_VIEW_NAME);
const params = z.object({ viewId: pathId });

export const listSavedViews = defineOperation({
  id: 'listSavedViews',
  method: 'GET',
  path: '/dashboard/views',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: "One's own views of the list of conversations, and those of the workspace, by name",
  response: enveloped(z.object({ views: z.array(savedView) })),
  status: 200,
});

export const createSavedView = defineOperation({
  id: 'createSavedView',
  method: 'POST',
  path: '/dashboard/views',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Keep filters of the list of conversations under a name',
  body: z.strictObject({ name, isShared: z.boolean(), query: z.string().min(1).max(MAX_QUERY) }),
  response: enveloped(savedView),
  status: 201,
});

export const updateSavedView = defineOperation({
  id: 'updateSavedView',
  method: 'PATCH',
  path: '/dashboard/views/{viewId}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Rename a view, show it to the workspace, or give it other filters',
  params,
  body: z.strictObject({
    name: name.optional(),
    isShared: z.boolean().optional(),
    query: z.string().min(1).max(MAX_QUERY).optional(),
  }),
  response: enveloped(savedView),
  status: 200,
});

export const deleteSavedView = defineOperation({
  id: 'deleteSavedView',
  method: 'DELETE',
  path: '/dashboard/views/{viewId}',
  scope: 'member',
  role: 'member',
  tag: 'Dashboard',
  summary: 'Delete a view',
  params,
  response: enveloped(z.null()),
  status: 200,
});

export const savedViewOperations = [
  listSavedViews,
  createSavedView,
  updateSavedView,
  deleteSavedView,
] as const;
