import { systemActor } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { listOverdueChats } from './repository.ts';
import { CHAT_ENDS, CHAT_LIMITS } from './rules.ts';
import type { ChatService } from './service.ts';

const SWEEP_EVERY_MS = 60_000;
const AT_ONCE = 100;

/** Ends chats in which nobody writes any more, and those that go on for hours. */
export async function endOverdueChats(
  deps: Pick<Dependencies, 'db' | 'clock'>,
  chats: Pick<ChatService, 'end'>,
): Promise<void> {
  const nowMs = deps.clock.now().getTime();
  const idleSince = new Date(nowMs - CHAT_LIMITS.idleMs);
  const begunBefore = new Date(nowMs - CHAT_LIMITS.maxDurationMs);
  const overdue = await listOverdueChats(deps.db, { idleSince, begunBefore, limit: AT_ONCE });
  for (const chat of overdue) {
    const end = chat.lastActivityAt < idleSince ? CHAT_ENDS.idle : CHAT_ENDS.too_long;
    await chats.end(systemActor(chat.workspaceId, 'chats'), chat.id, end);
  }
}

export async function registerChatJobs(
  deps: Pick<Dependencies, 'db' | 'clock' | 'queue'>,
  chats: Pick<ChatService, 'end'>,
): Promise<void> {
  await deps.queue.every('chats.end_overdue', SWEEP_EVERY_MS, () => endOverdueChats(deps, chats));
}
