import type { WorkspaceId } from '#lib/auth/actor.ts';
import type { CallOutcome } from '#db/schema/calls.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { outcomeOfInterrupted } from '#lib/features/calls/execution/interrupted.ts';
import { listToolUses, listTurns } from '#lib/features/calls/execution/repository.ts';
import { outcomeFields, type WrapUp } from '#lib/features/calls/execution/wrap-up.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import { moveCall } from '#lib/features/calls/repository.ts';
import { describeError } from '#lib/log.ts';
import type { Database } from '#db/client.ts';
import { type ChatRow, lockChat, updateChat } from './repository.ts';
import type { ChatEnd } from './rules.ts';

/** An analysis takes the model half a minute at most; should its process die, whoever sweeps calls does it again. */
const WRAP_UP_LEASE_MS = 120_000;

export type ChatEnding = ReturnType<typeof createChatEnding>;

/** Ends chats: closes them for messages, and lets the end of every call do the rest (analysis, cost, webhook). */
export function createChatEnding(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log'> & { wrapUp: WrapUp; notifier: CallNotifier },
) {
  const { db, clock } = deps;
  const wrappingUp = new Set<Promise<void>>();

  async function outcomeOf(tx: Database, workspaceId: WorkspaceId, chat: ChatRow, end: ChatEnd) {
    const turns = await listTurns(tx, workspaceId, chat.id);
    const toolUses = await listToolUses(tx, workspaceId, chat.id);
    const known = outcomeOfInterrupted(turns, toolUses, end.endReason);
    const usage = { inputTokens: chat.inputTokens, outputTokens: chat.outputTokens, spokenMs: 0 };
    return { ...known, answeredBy: 'human', endedBy: end.endedBy, usage } satisfies CallOutcome;
  }

  async function close(workspaceId: WorkspaceId, chatId: string, end: ChatEnd): Promise<string | undefined> {
    const owner = deps.ids.next('chatend');
    return db.transaction(async (tx) => {
      const chat = await lockChat(tx, workspaceId, chatId);
      if (!chat.isOpen) return undefined;
      const now = clock.now();
      const outcome = await outcomeOf(tx, workspaceId, chat, end);
      const moved = await moveCall(tx, workspaceId, {
        callId: chatId,
        from: 'in_progress',
        trigger: 'hang_up',
        at: now,
        owner: null,
        fields: {
          ...outcomeFields(outcome, now),
          leaseOwner: owner,
          leaseUntil: new Date(now.getTime() + WRAP_UP_LEASE_MS),
        },
        data: { endReason: end.endReason, endedBy: end.endedBy },
      });
      await updateChat(tx, workspaceId, chatId, {
        isOpen: false,
        plan: null,
        answeringId: null,
        answeringUntil: null,
      });
      return moved ? owner : undefined;
    });
  }

  return {
    /** Ends a chat; false where it had ended. Summary, tags and cost follow within a minute. Throws 403 and 404. */
    async end(workspaceId: WorkspaceId, chatId: string, end: ChatEnd): Promise<boolean> {
      const owner = await close(workspaceId, chatId, end);
      if (owner === undefined) return false;
      deps.notifier.notify(workspaceId, chatId);
      const done = deps.wrapUp
        .endConversation(workspaceId, chatId, owner)
        .then(() => undefined)
        .catch((error: unknown) =>
          deps.log.error({ event: 'chat_not_wrapped_up', callId: chatId, error: describeError(error) }),
        )
        .finally(() => wrappingUp.delete(done));
      wrappingUp.add(done);
      return true;
    },
    /** Resolves when what ended here is wrapped up. */
    settled: async (): Promise<void> => void (await Promise.all(wrappingUp)),
  };
}
