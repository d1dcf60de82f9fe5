import { and, asc, eq, inArray } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { callNotes } from '#db/schema/call-notes.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type NoteRow = typeof callNotes.$inferSelect;

const onCall = (workspaceId: WorkspaceId, callId: string) =>
  and(eq(callNotes.workspaceId, workspaceId), eq(callNotes.callId, callId));

export async function listNotes(db: Database, workspaceId: WorkspaceId, callId: string): Promise<NoteRow[]> {
  return db
    .select()
    .from(callNotes)
    .where(onCall(workspaceId, callId))
    .orderBy(asc(callNotes.createdAt), asc(callNotes.id));
}

export async function countNotes(db: Database, workspaceId: WorkspaceId, callId: string): Promise<number> {
  return db.$count(callNotes, onCall(workspaceId, callId));
}

export async function insertNote(
  tx: Database,
  workspaceId: WorkspaceId,
  note: Omit<typeof callNotes.$inferInsert, 'workspaceId'>,
): Promise<void> {
  await tx.insert(callNotes).values({ ...note, workspaceId });
}

/** A note of a call of the workspace, locked until the transaction ends. */
export async function findNote(
  tx: Database,
  workspaceId: WorkspaceId,
  { callId, noteId }: { callId: string; noteId: string },
): Promise<NoteRow | undefined> {
  const [row] = await tx
    .select()
    .from(callNotes)
    .where(and(onCall(workspaceId, callId), eq(callNotes.id, noteId)))
    .for('update');
  return row;
}

export async function updateNote(
  tx: Database,
  workspaceId: WorkspaceId,
  noteId: string,
  change: { text: string; editedAt: Date },
): Promise<void> {
  await tx
    .update(callNotes)
    .set(change)
    .where(and(eq(callNotes.workspaceId, workspaceId), eq(callNotes.id, noteId)));
}

export async function deleteNote(tx: Database, workspaceId: WorkspaceId, noteId: string): Promise<void> {
  await tx.delete(callNotes).where(and(eq(callNotes.workspaceId, workspaceId), eq(callNotes.id, noteId)));
}

export async function deleteNotesOfCalls(
  tx: Database,
  workspaceId: WorkspaceId,
  callIds: readonly string[],
): Promise<void> {
  await tx
    .delete(callNotes)
    .where(and(eq(callNotes.workspaceId, workspaceId), inArray(callNotes.callId, [...callIds])));
}
