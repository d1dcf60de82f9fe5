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
