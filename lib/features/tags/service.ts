import type { Actor } from '#lib/auth/actor.ts';
import { AppError, notFound, validationError } from '#lib/errors.ts';
import { assertBase } from '#lib/features/base.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { lockWorkspace } from '#lib/features/workspaces/repository.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { CustomTag } from './contract.ts';
import {
  countCustomTags,
  deleteCustomTag,
  insertCustomTag,
  listCustomTags,
  updateCustomTag,
} from './repository.ts';
import { isSystemTag, MAX_CUSTOM_TAGS, SYSTEM_TAGS } from './rules.ts';

export type TagsService = ReturnType<typeof createTagsService>;

/** The system tags and each workspace's own ones, which the analyzer applies as well. */
export function createTagsService(deps: Pick<Dependencies, 'db' | 'clock'>) {
  async function custom(actor: Actor): Promise<CustomTag[]> {
    return (await listCustomTags(deps.db, actor.workspaceId)).map(shown);
  }

  return {
    /** GET /tags (contract, Tags): name to description, the same for everybody. */
    system: (): Record<string, string> => ({ ...SYSTEM_TAGS }),

    /** What the analyzer of this workspace may apply. */
    async list(
      actor: Actor,
    ): Promise<{ system: { name: string; description: string }[]; custom: CustomTag[] }> {
      const system = Object.entries(SYSTEM_TAGS).map(([name, description]) => ({ name, description }));
      return { system, custom: await custom(actor) };
    },

    /** Throws 400 for a name that is taken, here or by the system. */
    async create(actor: Actor, input: { name: string; description: string }): Promise<CustomTag> {
      if (isSystemTag(input.name)) throw validationError([{ field: 'name', reason: 'is a system tag' }]);
      return deps.db.transaction(async (tx) => {
        if ((await countCustomTags(tx, actor.workspaceId)) >= MAX_CUSTOM_TAGS) {
          throw new AppError('INVALID_STATE', `A workspace has at most ${MAX_CUSTOM_TAGS} tags of its own`);
        }
        const row = await insertCustomTag(tx, actor.workspaceId, { ...input, now: deps.clock.now() });
        if (!row) throw validationError([{ field: 'name', reason: 'is already a tag of this workspace' }]);
        await recordAudit(tx, deps.clock, actor, {
          action: 'tag.created',
          targetId: row.name,
          data: { description: row.description },
        });
        return shown(row);
      });
    },

    async update(actor: Actor, name: string, input: { description: string }): Promise<CustomTag> {
      return deps.db.transaction(async (tx) => {
        await lockWorkspace(tx, actor.workspaceId);
        const before = (await listCustomTags(tx, actor.workspaceId)).find((tag) => tag.name === name);
        if (before) assertBase(actor, { description: before.description });
        if (before && before.description === input.description) return shown(before);
        const row = await updateCustomTag(tx, actor.workspaceId, name, input.description);
        if (!row) throw notFound('Tag');
        await recordAudit(tx, deps.clock, actor, {
          action: 'tag.updated',
          targetId: name,
          data: { description: row.description },
        });
        return shown(row);
      });
    },

    async remove(actor: Actor, name: string): Promise<null> {
      return deps.db.transaction(async (tx) => {
        if (!(await deleteCustomTag(tx, actor.workspaceId, name))) throw notFound('Tag');
        await recordAudit(tx, deps.clock, actor, { action: 'tag.deleted', targetId: name });
        return null;
      });
    },
  };
}

function shown(row: { name: string; description: string; createdAt: Date }): CustomTag {
  return { name: row.name, description: row.description, createdAt: row.createdAt.toISOString() };
}
