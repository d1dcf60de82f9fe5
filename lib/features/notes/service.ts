import type { Database } from '#db/client.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { hasRole } from '#lib/auth/rules.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { AppError, notFound } from '#lib/errors.ts';
import { recordAudit } from '#lib/features/audit/service.ts';
import { findCall } from '#lib/features/calls/repository.ts';
import { makeOnce } from '#lib/features/idempotency/service.ts';
import type { CallNote } from './contract.ts';
import {
  countNotes,
  deleteNote,
  findNote,
  insertNote,
  listNotes,
  type NoteRow,
  updateNote,
} from './repository.ts';

/** A page shows them all. */
const MOST_NOTES = 200;

type NoteIds = { callId: string; noteId: string };

export type NotesService = ReturnType<typeof createNotesService>;

/** What people of a workspace write down about a call, while it runs or afterwards. */
export function createNotesService(deps: Pick<Dependencies, 'db' | 'clock' | 'ids'>) {
  const { db, clock } = deps;

  /** The note, for whoever may change it: its author, and admins. Throws 403 and 404. */
  async function findOwn(tx: Database, actor: Actor, noteIds: NoteIds): Promise<NoteRow> {
    await findCall(tx, actor.workspaceId, noteIds.callId);
    const note = await findNote(tx, actor.workspaceId, noteIds);
    if (!note) throw notFound('Note');
    if (!mayChange(actor, note))
      throw new AppError('FORBIDDEN', 'Only its author and admins may change a note');
    return note;
  }

  return {
    /** Oldest first. Throws 403 and 404 for the call. */
    async list(actor: Actor, callId: string): Promise<CallNote[]> {
      await findCall(db, actor.workspaceId, callId);
      return (await listNotes(db, actor.workspaceId, callId)).map((note) => shown(actor, note));
    },

    /**
     * A repeat with the key gets the first note. Throws 403 and 404 for the call, 400 INVALID_STATE for one that is full of
     * notes, and what `makeOnce` throws.
     */
    async add(actor: Actor, callId: string, text: string, key?: string): Promise<CallNote> {
      await findCall(db, actor.workspaceId, callId);
      const request = { key, operation: 'addCallNote', input: [callId, text], prefix: 'note' };
      const { id: noteId } = await makeOnce(deps, actor, request, async (tx, id) => {
        if ((await countNotes(tx, actor.workspaceId, callId)) >= MOST_NOTES)
          throw new AppError('INVALID_STATE', `A call has at most ${MOST_NOTES} notes`);
        await insertNote(tx, actor.workspaceId, {
          id,
          callId,
          authorId: actor.id,
          author: actor.label,
          text,
          createdAt: clock.now(),
        });
        await recordAudit(tx, clock, actor, { action: 'call.note.added', targetId: callId });
      });
      const note = await findNote(db, actor.workspaceId, { callId, noteId });
      if (!note) throw notFound('Note');
      return shown(actor, note);
    },

    async edit(actor: Actor, noteIds: NoteIds, text: string): Promise<CallNote> {
      return db.transaction(async (tx) => {
        const note = await findOwn(tx, actor, noteIds);
        if (note.text === text) return shown(actor, note);
        const change = { text, editedAt: clock.now() };
        await updateNote(tx, actor.workspaceId, note.id, change);
        await recordAudit(tx, clock, actor, { action: 'call.note.edited', targetId: noteIds.callId });
        return shown(actor, { ...note, ...change });
      });
    },

    async remove(actor: Actor, noteIds: NoteIds): Promise<void> {
      await db.transaction(async (tx) => {
        const note = await findOwn(tx, actor, noteIds);
        await deleteNote(tx, actor.workspaceId, note.id);
        await recordAudit(tx, clock, actor, {
          action: 'call.note.deleted',
          targetId: noteIds.callId,
          data: { author: note.author },
        });
      });
    },
  };
}

const mayChange = (actor: Actor, note: NoteRow) =>
  hasRole(actor.role, 'admin') || (actor.id === note.authorId && hasRole(actor.role, 'member'));

function shown(actor: Actor, note: NoteRow): CallNote {
  return {
    id: note.id,
    authorId: note.authorId,
    author: note.author,
    text: note.text,
    createdAt: note.createdAt.toISOString(),
    editedAt: note.editedAt?.toISOString() ?? null,
    mayChange: mayChange(actor, note),
  };
}
