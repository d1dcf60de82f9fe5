import type { Actor } from '#lib/auth/actor.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import type { Env } from '#lib/env.ts';
import { AppError } from '#lib/errors.ts';
import { findAgent } from '#lib/features/agents/repository.ts';
import { listToolUses, listTurns } from '#lib/features/calls/execution/repository.ts';
import type { SearchForCall, UseToolForCall } from '#lib/features/calls/execution/runner.ts';
import type { WrapUp } from '#lib/features/calls/execution/wrap-up.ts';
import type { CallNotifier } from '#lib/features/calls/live/notifier.ts';
import { findCall, insertChatConversation } from '#lib/features/calls/repository.ts';
import { createLanguageService } from '#lib/features/languages/service.ts';
import { assertHoldable } from '#lib/features/versions/service.ts';
import { usageMonthOf } from '#lib/features/usage/rules.ts';
import { WEB_CALLER } from '#lib/phone-number.ts';
import type { Database } from '#db/client.ts';
import { type Asked, createChatAnswering } from './answering.ts';
import type { ChatEvent, ChatState, NewChatMessage, WantedChat } from './contract.ts';
import { createChatEnding } from './ending.ts';
import { planChat } from './plan.ts';
import {
  type ChatRow,
  type ChatSource,
  countOpenChats,
  countTokens,
  findChat,
  insertChat,
  lockChat,
  updateChat,
} from './repository.ts';
import { CHAT_ENDS, CHAT_LIMITS, type ChatEnd } from './rules.ts';
import { toChatState, toShownMessage } from './shown.ts';

/** A language that the model has yet to translate is not waited for longer. */
const LANGUAGE_PATIENCE_MS = 3_000;
const STOP_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
/** Chats fall out of the last 24 hours one after the other. */
const TOKENS_AGAIN_SECONDS = 600;

export type ChatService = ReturnType<typeof createChatService>;

type NewChat = {
  agentId: string;
  variables: Record<string, string>;
  isTest: boolean;
  source: ChatSource;
  origin: string | null;
  /** The version of the agent that it is held with; null: what is published. */
  agentVersionId: string | null;
};

/**
 * Written conversations with agents. A chat belongs to no process: each message is answered from what is stored, by
 * whichever process it reaches, and no other one answers meanwhile.
 */
export function createChatService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'log' | 'languageModel' | 'fallbackModel'> & {
    env: Pick<Env, 'chatTokensPerDay'>;
    notifier: CallNotifier;
    wrapUp: WrapUp;
    searchForCall: SearchForCall;
    useToolForCall: UseToolForCall;
  },
) {
  const { db, clock, ids } = deps;
  const languages = createLanguageService(deps);
  const ending = createChatEnding(deps);
  const answering = createChatAnswering({ ...deps, ending });

  async function stateOf(actor: Actor, chatId: string): Promise<ChatState> {
    const chat = await findChat(db, actor.workspaceId, chatId);
    return toChatState(chat, {
      call: await findCall(db, actor.workspaceId, chatId),
      turns: await listTurns(db, actor.workspaceId, chatId),
      toolUses: await listToolUses(db, actor.workspaceId, chatId),
      now: clock.now(),
    });
  }

  async function assertRoom(
    actor: Actor,
    { agentId, source }: { agentId: string; source: ChatSource },
    what: 'chat' | 'answer',
  ): Promise<void> {
    const now = clock.now();
    const activeSince = new Date(now.getTime() - CHAT_LIMITS.activeMs);
    const { active, answering: inTheMaking } = await countOpenChats(db, actor.workspaceId, {
      agentId,
      source,
      activeSince,
      now,
    });
    const isFull =
      what === 'chat'
        ? active >= CHAT_LIMITS.activeChatsPerAgent
        : inTheMaking >= CHAT_LIMITS.answersPerAgent;
    if (isFull)
      throw new AppError('RATE_LIMITED', 'Too many people chat with this agent at the moment', {
        retryAfterSeconds: what === 'chat' ? 30 : 5,
      });
  }

  /** Before the model is asked: whoever writes spends the workspace's money. */
  async function assertTokensLeft(actor: Actor): Promise<void> {
    const now = clock.now();
    const spent = await countTokens(db, actor.workspaceId, new Date(now.getTime() - DAY_MS));
    if (spent < deps.env.chatTokensPerDay) return;
    deps.log.warn({ event: 'chat_tokens_spent', workspaceId: actor.workspaceId, tokens: spent });
    throw new AppError('RATE_LIMITED', 'The chats of this workspace have used what they may in a day', {
      retryAfterSeconds: TOKENS_AGAIN_SECONDS,
    });
  }

  async function start(actor: Actor, wanted: NewChat): Promise<ChatState> {
    const { agentId, variables, isTest, source, origin } = wanted;
    await assertRoom(actor, wanted, 'chat');
    await assertTokensLeft(actor);
    const id = ids.next('cnv');
    const now = clock.now();
    const planned = await planChat(
      db,
      actor.workspaceId,
      { chatId: id, agentId, variables, isTest, startedAt: now, agentVersionId: wanted.agentVersionId },
      {
        ids,
        hasLanguageModel: deps.languageModel !== undefined,
        speak: (language) => languages.speak(language, LANGUAGE_PATIENCE_MS),
      },
    );
    const { startedAt: _, ...plan } = planned.plan;
    await db.transaction(async (tx) => {
      await insertChatConversation(tx, actor.workspaceId, {
        id,
        agentId,
        agentVersionId: planned.agentVersionId,
        direction: 'INBOUND',
        carrier: 'browser',
        agentPhoneNumber: WEB_CALLER,
        humanPhoneNumber: WEB_CALLER,
        variables,
        isTest,
        usageMonth: usageMonthOf(now),
        dateInitiated: now,
        answeredAt: now,
        createdAt: now,
        updatedAt: now,
      });
      const chat = { id, agentId, source, origin, plan, lastActivityAt: now, createdAt: now };
      await insertChat(tx, actor.workspaceId, chat);
      await addTurn(
        tx,
        actor,
        { id, createdAt: now },
        { seq: 1, speaker: 'agent', text: plan.prompt.opening },
      );
    });
    deps.notifier.notify(actor.workspaceId, id);
    return stateOf(actor, id);
  }

  async function addTurn(
    tx: Database,
    actor: Actor,
    chat: Pick<ChatRow, 'id' | 'createdAt'>,
    said: { seq: number; speaker: 'agent' | 'human'; text: string },
  ) {
    const atMs = Math.max(0, clock.now().getTime() - chat.createdAt.getTime());
    const turn = { ...said, intendedText: null, startedMs: atMs, endedMs: atMs, interrupted: false };
    const record = { turn: { ...turn, id: ids.next('turn') } };
    await answering.record(tx, { actor, chat }, 'turn', { data: turn, record });
    return turn;
  }

  /** Locks the chat for an answer to `sent`, or finds the answer that it got before. */
  async function take(tx: Database, actor: Actor, chatId: string, sent: NewChatMessage) {
    const chat = await lockChat(tx, actor.workspaceId, chatId);
    const turns = await listTurns(tx, actor.workspaceId, chatId);
    const last = turns.toSorted((one, other) => one.seq - other.seq).at(-1);
    const now = clock.now();
    const isRepeat = chat.lastMessageId === sent.id;
    const asked = turns.findLast((turn) => turn.speaker === 'human');
    if (isRepeat && asked && last?.speaker === 'agent') return { chat, asked, answered: last };
    if (!chat.isOpen) throw new AppError('INVALID_STATE', 'The chat has ended');
    if (chat.answeringUntil !== null && chat.answeringUntil > now)
      throw new AppError('INVALID_STATE', 'The message before is still being answered', {
        details: { isAnswering: true },
      });
    const turn =
      isRepeat && asked
        ? asked
        : await addTurn(tx, actor, chat, { seq: (last?.seq ?? 0) + 1, speaker: 'human', text: sent.text });
    const answeringId = ids.next('answer');
    const messageCount = chat.messageCount + (isRepeat ? 0 : 1);
    const taken = {
      answeringId,
      answeringUntil: answering.until(),
      lastMessageId: sent.id,
      messageCount,
      lastActivityAt: now,
    };
    await updateChat(tx, actor.workspaceId, chatId, taken);
    const answer: Asked = { actor, chat: { ...chat, ...taken }, answeringId };
    return { chat, asked: turn, answer };
  }

  return {
    /**
     * Begins a chat. Throws 403 and 404 for the agent, 400 where it is switched off or cannot write its language without a
     * language model, 429 where too many people chat with it.
     */
    async start(actor: Actor, wanted: NewChat): Promise<ChatState> {
      await findAgent(db, actor.workspaceId, wanted.agentId);
      return start(actor, wanted);
    },

    /** The same for the operation of the API and the dashboard. */
    async create(
      actor: Actor,
      agentId: string,
      { variables = {}, isTest = false, agentVersionId }: WantedChat,
    ): Promise<ChatState> {
      await findAgent(db, actor.workspaceId, agentId);
      if (agentVersionId !== undefined)
        await assertHoldable(db, actor.workspaceId, {
          agentId,
          agentVersionId,
          outboundPromptId: null,
          isTest,
        });
      const source = actor.kind === 'user' ? 'dashboard' : 'api';
      return start(actor, {
        agentId,
        variables,
        isTest,
        source,
        origin: null,
        agentVersionId: agentVersionId ?? null,
      });
    },

    /** Throws 403 and 404. */
    get: (actor: Actor, chatId: string): Promise<ChatState> => stateOf(actor, chatId),

    /**
     * Takes a message and begins its answer, which is made to its end whoever listens. The same message again gets the same
     * answer, or the one that it did not get. Throws 403, 404, 400 for a chat that has ended or is being answered, 429.
     */
    async send(actor: Actor, chatId: string, sent: NewChatMessage): Promise<AsyncIterable<ChatEvent>> {
      const chat = await findChat(db, actor.workspaceId, chatId);
      await assertRoom(actor, chat, 'answer');
      // A chat takes its room with the first message: opening some and writing nothing locks nobody out.
      if (chat.messageCount === 0) await assertRoom(actor, chat, 'chat');
      await assertTokensLeft(actor);
      const taken = await db.transaction((tx) => take(tx, actor, chatId, sent));
      deps.notifier.notify(actor.workspaceId, chatId);
      const message = toShownMessage(taken.asked, taken.chat.createdAt);
      if (taken.answer) return follow([{ type: 'message', message }], answering.begin(taken.answer));
      const status = taken.chat.isOpen ? 'open' : 'ended';
      const answered = toShownMessage(taken.answered, taken.chat.createdAt);
      return follow([
        { type: 'message', message },
        { type: 'answer', message: answered, status },
      ]);
    },

    /** Ends a chat; one that has ended stays as it is. Throws 403 and 404. */
    async end(actor: Actor, chatId: string, end: ChatEnd = CHAT_ENDS.person): Promise<ChatState> {
      await ending.end(actor.workspaceId, chatId, end);
      return stateOf(actor, chatId);
    },

    /** Resolves when every chat that ended here has its summary, tags and cost. */
    settled: ending.settled,

    async stop(): Promise<void> {
      await answering.stop(STOP_MS);
      await ending.settled();
    },
  };
}

async function* follow(
  first: readonly ChatEvent[],
  rest?: AsyncIterable<ChatEvent>,
): AsyncGenerator<ChatEvent> {
  yield* first;
  if (rest) yield* rest;
}
