import type { Actor } from '#lib/auth/actor.ts';
import { createAsyncQueue, type AsyncQueue } from '#lib/async-queue.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { answerChat, type ChatAnswer } from '#lib/engine/chat/answer.ts';
import type { CallPlan, ToolUseRecord } from '#lib/engine/plan.ts';
import {
  type EventRecord,
  insertOwnedEvent,
  listToolUses,
  listTurns,
} from '#lib/features/calls/execution/repository.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import type { SearchForCall, UseToolForCall } from '#lib/features/calls/execution/runner.ts';
import { describeError } from '#lib/log.ts';
import type { LanguageModel } from '#lib/ports/language-model.ts';
import type { Database } from '#db/client.ts';
import type { ChatEvent } from './contract.ts';
import type { ChatEnding } from './ending.ts';
import { type ChatRow, keepAnswering, lockChat, updateChat } from './repository.ts';
import { ANSWERING_LEASE_MS, CHAT_ENDS, CHAT_LIMITS, endByAgent, HEARTBEAT_MS } from './rules.ts';
import { toShownMessage, toShownToolUse } from './shown.ts';

/** Of a chat that was begun before there were any, the plan says nothing of them. */
const NO_TOOLS: Partial<Pick<CallPlan, 'workspaceTools'>> = { workspaceTools: [] };

/** No process has the lease of a chat; a call that has none is one's own to write while the chat is locked open. */
const NO_OWNER = '';

/** A chat that was locked for an answer, by `answeringId`. */
export type Asked = { actor: Actor; chat: ChatRow; answeringId: string };

export type ChatAnswering = ReturnType<typeof createChatAnswering>;

/** Makes answers to messages. An answer is made to its end, whether or not somebody still waits for it. */
export function createChatAnswering(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'languageModel' | 'fallbackModel'> & {
    notifier: CallNotifier;
    searchForCall: SearchForCall;
    useToolForCall: UseToolForCall;
    ending: ChatEnding;
  },
) {
  const { db, clock } = deps;
  const shunned = new Map<LanguageModel, number>();
  const running = new Map<string, { abort: AbortController; done: Promise<void> }>();
  const modelClock = { nowMs: () => clock.now().getTime(), sleep: clock.sleep };

  const until = () => new Date(clock.now().getTime() + ANSWERING_LEASE_MS);

  /** Runs within a transaction that found the chat open and this answer still wanted; undefined where it is not. */
  async function whileAnswering<Result>(
    { actor, chat, answeringId }: Asked,
    write: (tx: Database, chat: ChatRow) => Promise<Result>,
  ): Promise<Result | undefined> {
    const result = await db.transaction(async (tx) => {
      const now = await lockChat(tx, actor.workspaceId, chat.id);
      return now.isOpen && now.answeringId === answeringId ? write(tx, now) : undefined;
    });
    deps.notifier.notify(actor.workspaceId, chat.id);
    return result;
  }

  async function record(
    tx: Database,
    { actor, chat }: Recorded,
    type: string,
    stored: Stored,
  ): Promise<void> {
    const event = { type, data: { ...stored.data }, at: clock.now() };
    const owned = { callId: chat.id, owner: NO_OWNER, event, record: stored.record };
    if (!(await insertOwnedEvent(tx, actor.workspaceId, owned)))
      throw new Error(`Chat ${chat.id} is open and is not in progress`);
  }

  async function storeToolUse(asked: Asked, use: ToolUseRecord): Promise<void> {
    const toolUse = { ...use, id: deps.ids.next('tool') };
    const stored = await whileAnswering(asked, async (tx) => {
      await record(tx, asked, 'tool', { data: use, record: { toolUse } });
      return true;
    });
    if (!stored) throw new Error('the chat has ended');
  }

  /** Extends the lease while an answer is made, and stops it once the chat has ended or another process answers. */
  async function heartbeat(asked: Asked, abort: AbortController, done: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(HEARTBEAT_MS, done).catch(() => undefined);
      if (done.aborted) return;
      const mine = { chatId: asked.chat.id, answeringId: asked.answeringId, until: until() };
      if (!(await keepAnswering(db, asked.actor.workspaceId, mine)))
        return abort.abort(new Error('the chat has ended'));
    }
  }

  async function answer(asked: Asked, events: AsyncQueue<ChatEvent>, signal: AbortSignal): Promise<void> {
    const { actor, chat } = asked;
    const { workspaceId } = actor;
    if (!chat.plan) throw new Error(`Chat ${chat.id} is open and has no plan`);
    const startedAt = chat.createdAt;
    const elapsedMs = () => clock.now().getTime() - startedAt.getTime();
    const past = {
      turns: await listTurns(db, workspaceId, chat.id),
      toolUses: await listToolUses(db, workspaceId, chat.id),
    };
    const usage = { inputTokens: 0, outputTokens: 0 };
    const plan = { ...NO_TOOLS, ...chat.plan, startedAt };
    const answering = answerChat({
      plan,
      past,
      languageModel: deps.languageModel,
      fallbackModel: deps.fallbackModel,
      clock: modelClock,
      shunned,
      now: clock.now,
      searchKnowledge: (query) => deps.searchForCall(actor, chat.agentId, query),
      useWorkspaceTool: (use) => deps.useToolForCall(actor, use, plan),
      elapsedMs,
      async storeToolUse(use) {
        await storeToolUse(asked, use);
        events.push({ type: 'tool', toolUse: toShownToolUse(use, startedAt) });
      },
      onModelFailure: (failure) => void noteFailure(asked, failure),
      usage,
      log: deps.log,
      signal,
    });
    let startedMs: number | undefined;
    let step = await answering.next();
    for (; !step.done; step = await answering.next()) {
      startedMs ??= elapsedMs();
      events.push({ type: 'text', text: step.value });
    }
    const seq = Math.max(0, ...past.turns.map((turn) => turn.seq)) + 1;
    await finish(asked, events, {
      answer: step.value,
      seq,
      startedMs: startedMs ?? elapsedMs(),
      endedMs: elapsedMs(),
      usage,
    });
  }

  async function finish(asked: Asked, events: AsyncQueue<ChatEvent>, made: Made): Promise<void> {
    const { text, failure, endReason } = made.answer;
    const turn = {
      seq: made.seq,
      speaker: 'agent' as const,
      text,
      intendedText: null,
      startedMs: made.startedMs,
      endedMs: made.endedMs,
      interrupted: false,
    };
    const stored = await whileAnswering(asked, async (tx, chat) => {
      if (failure === null)
        await record(tx, asked, 'turn', {
          data: turn,
          record: { turn: { ...turn, id: deps.ids.next('turn') } },
        });
      else await record(tx, asked, 'chat.answer_failed', { data: { kind: failure } });
      const inputTokens = chat.inputTokens + made.usage.inputTokens;
      const outputTokens = chat.outputTokens + made.usage.outputTokens;
      await updateChat(tx, asked.actor.workspaceId, chat.id, {
        answeringId: null,
        answeringUntil: null,
        inputTokens,
        outputTokens,
        lastActivityAt: clock.now(),
      });
      const hasSpent = inputTokens + outputTokens >= CHAT_LIMITS.tokens;
      return { isFull: hasSpent || chat.messageCount >= CHAT_LIMITS.messages };
    });
    if (!stored) return events.push({ type: 'ended' });
    if (failure !== null) return events.push({ type: 'failed', reason: failure });
    const end = endReason !== null ? endByAgent(endReason) : stored.isFull ? CHAT_ENDS.too_long : undefined;
    if (end) await deps.ending.end(asked.actor.workspaceId, asked.chat.id, end);
    const message = toShownMessage(turn, asked.chat.createdAt);
    events.push({ type: 'answer', message, status: end ? 'ended' : 'open' });
  }

  async function noteFailure(asked: Asked, failure: Record<string, unknown>): Promise<void> {
    await whileAnswering(asked, (tx) => record(tx, asked, 'model_failed', { data: failure })).catch(
      (error: unknown) =>
        deps.log.error({ event: 'chat_event_lost', callId: asked.chat.id, error: describeError(error) }),
    );
  }

  async function work(asked: Asked, events: AsyncQueue<ChatEvent>, abort: AbortController): Promise<void> {
    const done = new AbortController();
    const beating = heartbeat(asked, abort, done.signal).catch((error: unknown) => abort.abort(error));
    const signal = AbortSignal.any([abort.signal, AbortSignal.timeout(CHAT_LIMITS.answerMs)]);
    try {
      await answer(asked, events, signal);
    } catch (error) {
      const released = await release(asked).catch(() => undefined);
      if (!released) events.push({ type: 'ended' });
      else {
        deps.log.error({ event: 'chat_answer_failed', callId: asked.chat.id, error: describeError(error) });
        events.push({ type: 'failed', reason: 'fault' });
      }
    } finally {
      done.abort();
      await beating;
      events.close();
    }
  }

  /** Lets the message be answered again. */
  async function release(asked: Asked): Promise<boolean | undefined> {
    return whileAnswering(asked, async (tx, chat) => {
      await updateChat(tx, asked.actor.workspaceId, chat.id, { answeringId: null, answeringUntil: null });
      return true;
    });
  }

  return {
    until,
    record,
    /** Begins the answer to a chat's last message, and gives its events from here on. */
    begin(asked: Asked): AsyncIterable<ChatEvent> {
      const events = createAsyncQueue<ChatEvent>();
      const abort = new AbortController();
      const done = work(asked, events, abort).finally(() => running.delete(asked.answeringId));
      running.set(asked.answeringId, { abort, done });
      return events;
    },
    /** Lets answers in the making end, for `timeoutMs` at most; what is left can be asked for again. */
    async stop(timeoutMs: number): Promise<void> {
      const all = [...running.values()];
      const late = new AbortController();
      const timer = clock.sleep(timeoutMs, late.signal).then(
        () => all.forEach(({ abort }) => abort.abort(new Error('the service stops'))),
        () => undefined,
      );
      await Promise.all(all.map(({ done }) => done));
      late.abort();
      await timer;
    },
  };
}

type Recorded = { actor: Actor; chat: Pick<ChatRow, 'id'> };
type Stored = { data: object; record?: EventRecord };
type Made = {
  answer: ChatAnswer;
  seq: number;
  startedMs: number;
  endedMs: number;
  usage: { inputTokens: number; outputTokens: number };
};
