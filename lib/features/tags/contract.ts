import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation } from '#lib/http/operation.ts';
import { enveloped, pathId, requiredText, timestamp } from '#lib/http/schemas.ts';

/** The form of a tag's name: like the system tags, so that a list of tags reads as one. Spaces become `_`. */
export const tagName = z
  .string()
  .max(200)
  .transform((name) => name.normalize('NFC').trim().replace(/\s+/gu, '_'))
  .pipe(z.string().regex(/^[\p{L}\p{M}\p{N}_-]{1,64}$/u, 'must be 1 to 64 letters, digits, _ or -'));
export const tagDescription = requiredText(500);

export const customTag = z.object({ name: z.string(), description: z.string(), createdAt: timestamp });
export type CustomTag = z.infer<typeof customTag>;

export const listSystemTags = defineOperation({
  id: 'listSystemTags',
  method: 'GET',
  path: '/tags',
  scope: 'public',
  tag: 'Tags',
  summary: 'List the system tags',
  description: 'Every tag that the call analyzer applies by itself, with the rule for it. Needs no key.',
  response: enveloped(
    z.record(z.string(), z.string()).meta({ id: 'SystemTags', description: 'Tag name to description' }),
  ),
  status: 200,
});

export const listTags = defineOperation({
  id: 'listTags',
  method: 'GET',
  path: '/dashboard/tags',
  scope: 'member',
  role: 'viewer',
  tag: 'Dashboard',
  summary: "The system tags and the workspace's own tags",
  response: enveloped(
    z.object({
      system: z.array(z.object({ name: z.string(), description: z.string() })),
      custom: z.array(customTag),
    }),
  ),
  status: 200,
});

export const createTag = defineOperation({
  id: 'createTag',
  method: 'POST',
  path: '/dashboard/tags',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Add a tag that the analyzer applies from now on',
  body: z.strictObject({ name: tagName, description: tagDescription }),
  response: enveloped(customTag),
  status: 201,
});

export const updateTag = defineOperation({
  id: 'updateTag',
  method: 'PATCH',
  path: '/dashboard/tags/{name}',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Change the rule of a tag',
  params: z.object({ name: pathId }),
  body: withBase(z.strictObject({ description: tagDescription })),
  response: enveloped(customTag),
  status: 200,
});

export const deleteTag = defineOperation({
  id: 'deleteTag',
  method: 'DELETE',
  path: '/dashboard/tags/{name}',
  scope: 'member',
  role: 'admin',
  tag: 'Dashboard',
  summary: 'Remove a tag; conversations that carry it keep it',
  params: z.object({ name: pathId }),
  response: enveloped(z.null()),
  status: 200,
});

export const tagOperations = [listSystemTags, listTags, createTag, updateTag, deleteTag] as const;
