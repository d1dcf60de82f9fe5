import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { hasRole } from '#lib/auth/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound, validationError } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import type { SavedView } from './contract.ts';
import {
  deleteView,
  insertView,
  isNameTaken,
  listViews,
  lockView,
  updateView,
  type ViewRow,
} from './repository.ts';

/** A menu shows them all. */
const MOST_OWN = 50;

type ViewChange = { name?: string | undefined; isShared?: boolean | undefined; query?: string | undefined };

export type SavedViewService = ReturnType<typeof createSavedViewService>;

/** Filters of the list of conversations under a name, for one member or for the workspace. */
export function createSavedViewService({ db, clock, ids }: Pick<Dependencies, 'db' | 'clock' | 'ids'>) {
  /** Somebody else's private view does not exist for others. Throws 403 for a shared one that is not theirs to change, 404. */
  async function lockOwn(tx: Database, actor: Actor, viewId: string): Promise<ViewRow> {
    const view = await lockView(tx, actor.workspaceId, viewId);
    if (!view || (!view.isShared && view.ownerId !== actor.id)) throw notFound('View');
    if (!mayChange(actor, view))
      throw new AppError('FORBIDDEN', 'Only its owner and admins may change a view');
    return view;
  }

  return {
    async list(actor: Actor): Promise<SavedView[]> {
      return (await listViews(db, actor.workspaceId, actor.id)).map((row) => shown(actor, row));
    },

    /** Throws 400 for a name that the member has used, and for more views than a menu shows. */
    async create(actor: Actor, view: { name: string; isShared: boolean; query: string }): Promise<SavedView> {
      return db.transaction(async (tx) => {
        const own = (await listViews(tx, actor.workspaceId, actor.id)).filter(
          ({ ownerId }) => ownerId === actor.id,
        );
        if (own.length >= MOST_OWN)
          throw new AppError('INVALID_STATE', `A member has at most ${MOST_OWN} views`);
        const at = clock.now();
        const row = await insertView(tx, actor.workspaceId, {
          id: ids.next('view'),
          ownerId: actor.id,
          owner: actor.label,
          ...view,
          createdAt: at,
          updatedAt: at,
        });
        if (!row) throw nameTaken();
        if (view.isShared) await audit(tx, actor, 'view.created', row.name);
        return shown(actor, row);
      });
    },

    /** Fields left out stay. */
    async update(actor: Actor, viewId: string, change: ViewChange): Promise<SavedView> {
      return db.transaction(async (tx) => {
        const before = await lockOwn(tx, actor, viewId);
        const after = {
          ...before,
          name: change.name ?? before.name,
          isShared: change.isShared ?? before.isShared,
          query: change.query ?? before.query,
          updatedAt: clock.now(),
        };
        if (await isNameTaken(tx, actor.workspaceId, after)) throw nameTaken();
        const { id, name, isShared, query, updatedAt } = after;
        await updateView(tx, actor.workspaceId, { id, name, isShared, query, updatedAt });
        if (before.isShared || isShared) await audit(tx, actor, 'view.updated', name);
        return shown(actor, after);
      });
    },

    async remove(actor: Actor, viewId: string): Promise<null> {
      return db.transaction(async (tx) => {
        const view = await lockOwn(tx, actor, viewId);
        await deleteView(tx, actor.workspaceId, viewId);
        if (view.isShared) await audit(tx, actor, 'view.deleted', view.name);
        return null;
      });
    },
  };

  /** What only its owner sees is nobody else's to know. */
  async function audit(tx: Database, actor: Actor, action: string, name: string): Promise<void> {
    await recordAudit(tx, clock, actor, { action, targetId: null, data: { name } });
  }
}

const nameTaken = () => validationError([{ field: 'name', reason: 'is the name of another view of yours' }]);

const mayChange = (actor: Actor, view: ViewRow) =>
  hasRole(actor.role, 'member') && (view.ownerId === actor.id || hasRole(actor.role, 'admin'));

function shown(actor: Actor, row: ViewRow): SavedView {
  return {
    id: row.id,
    name: row.name,
    isShared: row.isShared,
    query: row.query,
    owner: row.owner,
    isOwn: row.ownerId === actor.id,
    mayChange: mayChange(actor, row),
  };
}
