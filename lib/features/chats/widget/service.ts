import type { Actor } from '#lib/auth/actor.ts';
import { mintWorkspaceId, systemActor } from '#lib/auth/mint.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { chatWords } from '#lib/engine/languages/chat/catalog.ts';
import { chatLanguage, renderChatPrompt } from '#lib/engine/prompt/render-chat.ts';
import { AppError, forbidden, notFound } from '#lib/errors.ts';
import { type AgentRow, findAgent, lockAgent, workspaceNameOf } from '#lib/features/agents/repository.ts';
import { assertBase } from '#lib/features/base.ts';
import { changesBetween, recordAudit } from '#lib/features/audit/service.ts';
import type { ChatEvent, ChatState, NewChatMessage } from '../contract.ts';
import { findChat, listOpenWidgetChats } from '../repository.ts';
import { CHAT_ENDS, CHAT_LIMITS } from '../rules.ts';
import type { ChatService } from '../service.ts';
import {
  type ChatWidget,
  DEFAULT_COLOR,
  type VisitorChat,
  WIDGET_SCRIPT_PATH,
  type WidgetConfig,
  type WidgetSettings,
} from './contract.ts';
import { createWidgetLimits } from './limits.ts';
import { findWidget, findWidgetOfAgent, upsertWidget, type WidgetRow } from './repository.ts';
import { chatOfToken, isAllowedOrigin, signChatToken } from './rules.ts';

const ID_BYTES = 18;
const UNSET = {
  isEnabled: false,
  allowedOrigins: [] as string[],
  title: null,
  color: null,
  greeting: null,
  sendsWebhook: false,
};

export type ChatWidgetService = ReturnType<typeof createChatWidgetService>;

/** A widget as an allowed page opened it; what is done from there is done in its workspace. */
type Opened = { widget: WidgetRow; agent: AgentRow; actor: Actor; origin: string };

/** The chat of agents on websites: its settings, and what its script asks without a key. */
export function createChatWidgetService(
  deps: Pick<Dependencies, 'db' | 'clock' | 'ids' | 'env' | 'signingSecret'> & { chats: ChatService },
) {
  const { db, clock, chats, signingSecret } = deps;
  const takeLimit = createWidgetLimits();

  /** Throws 404 for a widget that is not there or off, 403 for a page of another origin. */
  async function open(widgetId: string, headers: Headers): Promise<Opened> {
    const widget = await findWidget(db, widgetId);
    if (!widget?.isEnabled) throw notFound('Widget');
    const origin = headers.get('origin');
    if (!isAllowedOrigin(origin, widget.allowedOrigins))
      throw new AppError('FORBIDDEN', 'This website may not show the widget');
    const workspaceId = mintWorkspaceId(widget.workspaceId);
    const agent = await findAgent(db, workspaceId, widget.agentId);
    if (!agent.isActive) throw notFound('Widget');
    return { widget, agent, origin, actor: systemActor(workspaceId, 'widget') };
  }

  /** The chat of the token. Throws 403 for a token that is not ours or of another widget. */
  async function openChat({ widget, actor }: Opened, headers: Headers): Promise<string> {
    const token = headers.get('authorization')?.replace(/^Bearer /i, '') ?? '';
    const chatId = chatOfToken(token, widget.id, signingSecret);
    if (chatId === undefined) throw new AppError('FORBIDDEN', 'The token of the chat is not valid');
    const chat = await findChat(db, actor.workspaceId, chatId);
    if (chat.source !== 'widget' || chat.agentId !== widget.agentId) throw forbidden('Chat');
    return chatId;
  }

  function toView(agentId: string, row: WidgetRow | undefined): ChatWidget {
    const { isEnabled, allowedOrigins, title, color, greeting, sendsWebhook } = row ?? UNSET;
    const src = `${deps.env.publicUrl}${WIDGET_SCRIPT_PATH}`;
    const scriptTag = row ? `<script async src="${src}" data-widget="${row.id}"></script>` : null;
    const settings = { isEnabled, allowedOrigins, title, color, greeting, sendsWebhook };
    return { agentId, widgetId: row?.id ?? null, ...settings, scriptTag };
  }

  /** Ends the chats that the widget may not have any more. */
  async function endRefused(actor: Actor, widget: WidgetRow): Promise<void> {
    const allowed = widget.isEnabled ? widget.allowedOrigins : [];
    for (const chat of await listOpenWidgetChats(db, actor.workspaceId, widget.agentId))
      if (!isAllowedOrigin(chat.origin, allowed)) await chats.end(actor, chat.id, CHAT_ENDS.widget_off);
  }

  return {
    /** The settings of an agent's widget. Throws 403 and 404. */
    async get(actor: Actor, agentId: string): Promise<ChatWidget> {
      await findAgent(db, actor.workspaceId, agentId);
      return toView(agentId, await findWidgetOfAgent(db, actor.workspaceId, agentId));
    },

    /** Changes what was sent; chats that are not allowed any more end at once. Throws 403 and 404. */
    async change(actor: Actor, agentId: string, settings: WidgetSettings): Promise<ChatWidget> {
      const row = await db.transaction(async (tx) => {
        // Also where there is no widget yet: two first changes wait for each other.
        const { name } = await lockAgent(tx, actor.workspaceId, agentId);
        const before = await findWidgetOfAgent(tx, actor.workspaceId, agentId);
        assertBase(actor, before ?? UNSET);
        const change = Object.fromEntries(
          Object.entries(settings).filter(([, value]) => value !== undefined),
        ) as WidgetSettings;
        const changes = changesBetween<Omit<WidgetSettings, never>>(before ?? UNSET, change);
        if (before && Object.keys(changes).length === 0) return before;
        const now = clock.now();
        const id = `wgt_${deps.ids.secret(ID_BYTES)}`;
        const made = { id, agentId, createdAt: now, updatedAt: now };
        const after = await upsertWidget(tx, actor.workspaceId, made, change);
        const data = { name, changes };
        await recordAudit(tx, clock, actor, { action: 'agent.widget.updated', targetId: agentId, data });
        return after;
      });
      await endRefused(actor, row);
      return toView(agentId, row);
    },

    /** After the provision file changed a widget: chats that are not allowed any more end at once. */
    async endRefused(actor: Actor, agentId: string): Promise<void> {
      const widget = await findWidgetOfAgent(db, actor.workspaceId, agentId);
      if (widget) await endRefused(actor, widget);
    },

    /** Whether pages of an origin may read the answers for a widget; also that it is off, which ends a chat that is open. */
    async allows(widgetId: string, origin: string): Promise<boolean> {
      const widget = await findWidget(db, widgetId);
      return widget !== undefined && isAllowedOrigin(origin, widget.allowedOrigins);
    },

    /** How the widget looks, and what it opens with. */
    async config(widgetId: string, headers: Headers): Promise<WidgetConfig> {
      const { widget, agent, actor } = await open(widgetId, headers);
      await takeLimit('config', widgetId, headers);
      const { code, words } = chatWords(chatLanguage(agent, agent.chatPrompt));
      const { opening } = renderChatPrompt({
        agent,
        chatPrompt: agent.chatPrompt,
        greeting: widget.greeting,
        variables: {},
        workspaceName: await workspaceNameOf(db, actor.workspaceId),
      });
      return {
        title: widget.title ?? words.widget.title,
        color: widget.color ?? DEFAULT_COLOR,
        greeting: opening,
        language: code,
        maxCharacters: CHAT_LIMITS.messageCharacters,
        words: { ...words.widget, failed: words.failed },
      };
    },

    /** Begins a visitor's chat; the token opens it from now on. */
    async start(widgetId: string, headers: Headers): Promise<{ token: string; chat: VisitorChat }> {
      const { widget, actor, origin } = await open(widgetId, headers);
      await takeLimit('start', widgetId, headers);
      const { agentId } = widget;
      const wanted = {
        agentId,
        variables: {},
        isTest: false,
        source: 'widget',
        origin,
        agentVersionId: null,
      } as const;
      const chat = await chats.start(actor, wanted);
      const token = signChatToken({ chatId: chat.conversationId, widgetId }, signingSecret);
      return { token, chat: toVisitorChat(chat) };
    },

    async read(widgetId: string, headers: Headers): Promise<VisitorChat> {
      const opened = await open(widgetId, headers);
      await takeLimit('config', widgetId, headers);
      return toVisitorChat(await chats.get(opened.actor, await openChat(opened, headers)));
    },

    async send(
      widgetId: string,
      headers: Headers,
      message: NewChatMessage,
    ): Promise<AsyncIterable<ChatEvent>> {
      const opened = await open(widgetId, headers);
      await takeLimit('message', widgetId, headers);
      await takeLimit('day', widgetId, headers);
      return withoutTools(await chats.send(opened.actor, await openChat(opened, headers), message));
    },

    async end(widgetId: string, headers: Headers): Promise<VisitorChat> {
      const opened = await open(widgetId, headers);
      await takeLimit('message', widgetId, headers);
      return toVisitorChat(await chats.end(opened.actor, await openChat(opened, headers), CHAT_ENDS.person));
    },
  };
}

/** What the agent looked up and did is the workspace's business. */
async function* withoutTools(events: AsyncIterable<ChatEvent>): AsyncGenerator<ChatEvent> {
  for await (const event of events) {
    if (event.type === 'tool') continue;
    // Whose key is refused, and why, is nothing that a visitor needs to know.
    yield event.type === 'failed' ? { type: 'failed', reason: 'no_answer' } : event;
  }
}

function toVisitorChat(chat: ChatState): VisitorChat {
  const { conversationId, status, isAnswering, messages, lastMessageId } = chat;
  return { conversationId, status, isAnswering, messages, lastMessageId };
}
