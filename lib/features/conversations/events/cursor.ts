/** Events that are read, and sent, at once. */
export const BATCH = 200;
/** Transactions of different calls may commit out of the order of their ids: younger events are looked at again. */
const SETTLED_MS = 5_000;

export type EventRow = { id: number; callId: string; type: string; at: Date; data: Record<string, unknown> };

/** Remembers what was taken. Its position stays behind events so young that an older id may still appear. */
export function createCursor(afterId: number) {
  let position = afterId;
  let taken = new Set<number>();
  return {
    position: () => position,
    /** Of events after the position, by id, those that were not taken yet. */
    take(rows: readonly EventRow[], now: Date): EventRow[] {
      const fresh = rows.filter((row) => !taken.has(row.id));
      for (const row of fresh) taken.add(row.id);
      const settled = rows.filter((row) => now.getTime() - row.at.getTime() > SETTLED_MS);
      // A full batch of young events must not block the view.
      const last = rows.length >= BATCH ? rows.at(-1) : settled.at(-1);
      if (last && last.id > position) {
        position = last.id;
        taken = new Set([...taken].filter((id) => id > position));
      }
      return fresh;
    },
  };
}
