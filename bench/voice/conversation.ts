import type { Conversations } from '#lib/conversation-process/conversations.ts';
import type { ConversationOrder } from '#lib/conversation-process/protocol.ts';
import { createSupervision } from '#lib/engine/supervision.ts';
import {
  createMemorySinks,
  type MemorySinks,
  noKnowledge,
  noWorkspaceTool,
  readRecording,
} from '#lib/engine/testing.ts';

export type HeldConversation = { endReason: string; wav: Buffer };

/**
 * Holds one conversation without the service around it: what it reports is kept in memory, as it comes. The line is one that
 * somebody opened (a browser that connects, a call that came in).
 */
export async function holdConversation(
  conversations: Pick<Conversations, 'open' | 'run'>,
  { plan, carrier, reference }: Pick<ConversationOrder, 'plan' | 'carrier' | 'reference'>,
): Promise<{ sinks: MemorySinks; ended: Promise<HeldConversation> }> {
  const sinks = createMemorySinks();
  const leg = await conversations.open({ plan, carrier, reference, opening: 'answer' });
  const running = conversations.run({
    plan,
    leg,
    carrier,
    beginTransfer: async () => undefined,
    sinks,
    searchKnowledge: noKnowledge,
    useWorkspaceTool: noWorkspaceTool,
    signal: new AbortController().signal,
    supervision: createSupervision({ words: () => undefined, sound: () => undefined }),
    recordingPath: undefined,
  });
  const ended = running.then(async (result) => ({
    endReason: result.endReason,
    wav: (await readRecording(result)) ?? Buffer.alloc(44),
  }));
  // Whoever waits for it hears of a failure then.
  ended.catch(() => undefined);
  return { sinks, ended };
}
