import type { AttemptFailure } from '#lib/engine/brain/model-attempts.ts';
import { createModelAttempts, NoAnswer } from '#lib/engine/brain/model-attempts.ts';
import { chatWords } from '#lib/engine/languages/chat/catalog.ts';
import type { CallPlan, KnowledgeHit, ToolUseRecord, UseWorkspaceTool } from '#lib/engine/plan.ts';
import type { Finish } from '#lib/engine/tools/tool.ts';
import { createToolExecutor } from '#lib/engine/tools/tool-executor.ts';
import type { Logger } from '#lib/log.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import type { LanguageModel, ModelUsage } from '#lib/ports/language-model.ts';
import { answerKeyless } from './keyless-answer.ts';
import { answerByModel } from './model-answer.ts';
import { type ChatPast, messagesOf } from './past.ts';

export type ChatAnswer = {
  /** Markdown; '' where there is none. */
  text: string;
  /** Why the agent ended the chat with this answer; null where it goes on. */
  endReason: string | null;
  /** Why there is no answer; null where there is one. */
  failure: AttemptFailure['kind'] | null;
};

export type AnswerChatOptions = {
  plan: CallPlan;
  /** What was said until now, the person's last message included. */
  past: ChatPast;
  languageModel: LanguageModel | undefined;
  fallbackModel: LanguageModel | undefined;
  clock: CallClock;
  /** Models that failed are asked last for a while: kept from answer to answer. */
  shunned: Map<LanguageModel, number>;
  now: () => Date;
  searchKnowledge(query: string): Promise<KnowledgeHit[]>;
  useWorkspaceTool: UseWorkspaceTool;
  /** Milliseconds since the chat began. */
  elapsedMs(): number;
  /** Awaited before the tool's result is used: what a tool did must not be forgotten. */
  storeToolUse(use: ToolUseRecord): Promise<void>;
  onModelFailure(failure: AttemptFailure): void;
  usage: ModelUsage;
  log: Logger;
  signal: AbortSignal;
};

/** Answers the last message of a chat: gives the text as it is written, and returns what it came to. */
export async function* answerChat(options: AnswerChatOptions): AsyncGenerator<string, ChatAnswer> {
  const { plan, past, signal } = options;
  let finish: Finish | undefined;
  const uses: ToolUseRecord[] = [];
  const tools = createToolExecutor({
    plan,
    now: options.now,
    searchKnowledge: options.searchKnowledge,
    useWorkspaceTool: options.useWorkspaceTool,
    // Made anew from the stored uses when the chat ends.
    outcome: { appointment: null, callback: null },
    elapsedMs: options.elapsedMs,
    store: (use) => uses.push(use),
    log: options.log,
  });
  const lastSeq = Math.max(0, ...past.toolUses.map((use) => use.seq));
  let hasFailedTool = false;
  const useTool = async (name: string, rawArguments: unknown) => {
    signal.throwIfAborted();
    const result = await tools.use(name, rawArguments, (wanted) => (finish = wanted));
    hasFailedTool ||= result['ok'] === false;
    for (const use of uses.splice(0)) await options.storeToolUse({ ...use, seq: lastSeq + use.seq });
    return result;
  };
  const pieces = options.languageModel
    ? answerByModel({
        plan,
        messages: messagesOf(past),
        now: options.now(),
        attempts: createModelAttempts({
          model: options.languageModel,
          fallback: options.fallbackModel,
          clock: options.clock,
          shunnedUntilMs: options.shunned,
          onFailure: options.onModelFailure,
        }),
        tools,
        useTool,
        usage: options.usage,
        signal,
      })
    : answerKeyless({ plan, past, tools, useTool, signal });
  let text = '';
  const endReason = () => (finish?.kind === 'hang_up' ? finish.reason : null);
  try {
    for await (const piece of pieces) {
      text += piece;
      yield piece;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof NoAnswer)) throw error;
    const isTold = error.kind === 'filtered' || (error.kind === 'empty' && hasFailedTool);
    if (!isTold) return { text: '', endReason: null, failure: error.kind };
    text = plan.language.lines.cannotAnswer;
    yield text;
  }
  if (text.trim() === '') {
    if (endReason() === null && !hasFailedTool) return { text: '', endReason: null, failure: 'empty' };
    text =
      endReason() === null ? plan.language.lines.cannotAnswer : chatWords(plan.language.code).words.farewell;
    yield text;
  }
  return { text: text.trim(), endReason: endReason(), failure: null };
}
