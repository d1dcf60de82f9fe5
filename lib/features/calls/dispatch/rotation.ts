/**
 * Workspaces that may have calls to start, served in turn: each gets one claim and goes to the end, so a long queue of
 * one does not keep the others waiting.
 */
export function createRotation(options: {
  /** How many calls this process can start now. */
  room: () => number;
  /** Starts up to `atMost` calls of the workspace; true where more of them may be able to start. */
  serve: (workspaceId: string, atMost: number) => Promise<boolean>;
  onError: (error: unknown) => void;
}) {
  const due = new Set<string>();
  let pass: Promise<void> | undefined;

  async function serveAll(): Promise<void> {
    for (let room = options.room(); room > 0; room = options.room()) {
      const [workspaceId] = due;
      if (workspaceId === undefined) return;
      due.delete(workspaceId);
      const share = Math.ceil(room / (due.size + 1));
      const hasMore = await options.serve(workspaceId, share).catch((error: unknown) => {
        options.onError(error);
        return false;
      });
      if (hasMore) due.add(workspaceId);
    }
  }

  return {
    /** Resolves when every due workspace was served, or this process has no room left. */
    async serve(workspaceIds: Iterable<string> = []): Promise<void> {
      for (const workspaceId of workspaceIds) due.add(workspaceId);
      // Whoever comes while a pass runs is served by it, or by the next one where it was just about to end.
      while (due.size > 0 && options.room() > 0) {
        pass ??= serveAll().finally(() => {
          pass = undefined;
        });
        await pass;
      }
    },

    /** Resolves when no workspace is being served. */
    idle: async (): Promise<void> => pass,
  };
}
