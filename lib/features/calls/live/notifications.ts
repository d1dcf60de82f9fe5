import { sql } from 'drizzle-orm';
import type { Database } from '#db/client.ts';

/** PostgreSQL takes up to 8,000 bytes in a message. */
export const MOST_NOTIFICATION_BYTES = 7_500;

export type Notification = { channel: string; message: string };

/**
 * Sends messages to whoever listens on their channels (`OpenDatabase.listen`), all in one statement. They are kept
 * nowhere, so the commit does not wait for the disk: commits that notify take turns in all of a database, and each would
 * hold up the others for a flush (docs/decisions/0286).
 */
export async function sendNotifications(db: Database, notifications: readonly Notification[]): Promise<void> {
  await db.execute(
    sql`select set_config('synchronous_commit', 'off', true), count(pg_notify(channel, message))
      from jsonb_to_recordset(${JSON.stringify(notifications)}::jsonb) as told(channel text, message text)`,
  );
}
