import { and, eq } from 'drizzle-orm';
import type { Database } from '#db/client.ts';
import { chatWidgets } from '#db/schema/chats.ts';
import type { WorkspaceId } from '#lib/auth/actor.ts';

export type WidgetRow = typeof chatWidgets.$inferSelect;

/** The widget of an agent; undefined where nobody has set it up yet. */
export async function findWidgetOfAgent(
  db: Database,
  workspaceId: WorkspaceId,
  agentId: string,
): Promise<WidgetRow | undefined> {
  const [row] = await db
    .select()
    .from(chatWidgets)
    .where(and(eq(chatWidgets.agentId, agentId), eq(chatWidgets.workspaceId, workspaceId)));
  return row;
}

/** The widget that a page names, whosever it is: the page knows no workspace. */
export async function findWidget(db: Database, widgetId: string): Promise<WidgetRow | undefined> {
  const [row] = await db.select().from(chatWidgets).where(eq(chatWidgets.id, widgetId));
  return row;
}

export async function upsertWidget(
  db: Database,
  workspaceId: WorkspaceId,
  widget: Omit<typeof chatWidgets.$inferInsert, 'workspaceId'>,
  change: Partial<typeof chatWidgets.$inferInsert>,
): Promise<WidgetRow> {
  const [row] = await db
    .insert(chatWidgets)
    .values({ ...widget, ...change, workspaceId })
    .onConflictDoUpdate({
      target: chatWidgets.agentId,
      set: { ...change, updatedAt: widget.updatedAt },
    })
    .returning();
  if (!row) throw new Error('writing a widget returned no row');
  return row;
}
