import { z } from 'zod';
import { withBase } from '#lib/http/base.ts';
import { defineOperation, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, trimmedText } from '#lib/http/schemas.ts';
import { answerEvents, chatMessageBody, shownMessage } from '../contract.ts';
import { normalizeOrigin } from './origins.ts';

/** Where the script of the widget lies. */
export const WIDGET_SCRIPT_PATH = '/widget/v1.js';
export const DEFAULT_COLOR = '#3355cc';
const MAX_ORIGINS = 50;

const allowedOrigin = z
  .string()
  .max(300)
  .transform((text, context) => {
    const origin = normalizeOrigin(text);
    if (origin !== undefined) return origin;
    const message =
      'must be the address of a website, such as https://www.example.com or https://*.example.com';
    context.addIssue({ code: 'custom', message });
    return z.NEVER;
  });

const blankIsNull = (maxCharacters: number) =>
  trimmedText(maxCharacters)
    .nullable()
    .transform((text) => (text === null || text === '' ? null : text));

/** What of a widget can be set; what is not sent stays. */
export const widgetSettings = z
  .strictObject({
    isEnabled: z.boolean().describe('Off: no page shows it, and chats of visitors end'),
    allowedOrigins: z
      .array(allowedOrigin)
      .max(MAX_ORIGINS, `must have at most ${MAX_ORIGINS} entries`)
      .transform((origins) => [...new Set(origins)])
      .describe(
        'The websites that may show it, by scheme, host and port; of an address of a page these are kept. `https://*.example.com` takes all subdomains',
      ),
    title: blankIsNull(60).describe("In the widget's head; null: a line in the agent's language"),
    color: z
      .string()
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #3355cc')
      .nullable(),
    greeting: blankIsNull(600).describe(
      'What every chat with the agent opens with; null: what the chat prompt spells out, or a line made of the names',
    ),
    sendsWebhook: z.boolean().describe('Whether the post-conversation webhook is sent for chats as well'),
  })
  .partial()
  .meta({ id: 'ChatWidgetSettings' });
export type WidgetSettings = z.output<typeof widgetSettings>;

export const chatWidget = z
  .object({
    agentId: z.string(),
    widgetId: z.string().nullable().describe('Stands in the script tag; null before the first change'),
    isEnabled: z.boolean(),
    allowedOrigins: z.array(z.string()),
    title: z.string().nullable(),
    color: z.string().nullable(),
    greeting: z.string().nullable(),
    sendsWebhook: z.boolean(),
    scriptTag: z.string().nullable().describe('To be put into the pages of the website'),
  })
  .meta({ id: 'ChatWidget' });
export type ChatWidget = z.output<typeof chatWidget>;

const onAgent = {
  scope: 'workspace',
  tag: 'Chats',
  path: '/agents/{agentId}/chat-widget',
  params: z.object({ agentId: pathId }),
  response: enveloped(chatWidget),
  status: 200,
  errors: LOOK_UP_ERRORS,
} as const;

export const getChatWidget = defineOperation({
  ...onAgent,
  id: 'getChatWidget',
  method: 'GET',
  role: 'viewer',
  summary: "Read the settings of an agent's website widget",
});

export const putChatWidget = defineOperation({
  ...onAgent,
  id: 'putChatWidget',
  method: 'PUT',
  role: 'admin',
  summary: "Change the settings of an agent's website widget",
  description:
    'Only the fields sent change. Switching it off, or taking an origin away, ends the chats that it had.',
  maxBodyBytes: 64 * 1024,
  body: withBase(widgetSettings),
  example: { isEnabled: true, allowedOrigins: ['https://www.example.com'] },
});

// ---- What the widget itself asks, from pages of other origins ----

/** The words of the widget, in the agent's language. */
const words = z.record(z.string(), z.string());

export const widgetConfig = z
  .object({
    title: z.string(),
    color: z.string(),
    greeting: z.string(),
    language: z.string(),
    maxCharacters: z.number().int(),
    words,
  })
  .meta({ id: 'WidgetConfig' });
export type WidgetConfig = z.output<typeof widgetConfig>;

export const visitorChat = z
  .object({
    conversationId: z.string(),
    status: z.enum(['open', 'ended']),
    isAnswering: z.boolean(),
    messages: z.array(shownMessage),
    lastMessageId: z.string().nullable(),
  })
  .meta({ id: 'VisitorChat' });
export type VisitorChat = z.output<typeof visitorChat>;

const TOKEN_NOTE = 'The token of the chat goes into `Authorization: Bearer …`.';
const forVisitors = {
  scope: 'public',
  crossOrigin: true,
  tag: 'Website widget',
  params: z.object({ widgetId: pathId }),
  status: 200,
} as const;

export const getWidget = defineOperation({
  ...forVisitors,
  id: 'getWidget',
  method: 'GET',
  path: '/widget/{widgetId}',
  summary: 'How the widget looks',
  description: 'Answers pages of the allowed origins only, like all that the widget asks; no cookie is read.',
  response: enveloped(widgetConfig),
  errors: LOOK_UP_ERRORS,
});

export const createVisitorChat = defineOperation({
  ...forVisitors,
  id: 'createVisitorChat',
  method: 'POST',
  path: '/widget/{widgetId}/chats',
  summary: "Begin a visitor's chat",
  response: enveloped(z.object({ token: z.string(), chat: visitorChat })),
  errors: [...LOOK_UP_ERRORS, 'AGENT_INACTIVE', 'INVALID_STATE'],
});

export const getVisitorChat = defineOperation({
  ...forVisitors,
  id: 'getVisitorChat',
  method: 'GET',
  path: '/widget/{widgetId}/chat',
  summary: "Read a visitor's chat",
  description: TOKEN_NOTE,
  response: enveloped(visitorChat),
  errors: LOOK_UP_ERRORS,
});

export const sendVisitorMessage = defineOperation({
  ...forVisitors,
  id: 'sendVisitorMessage',
  method: 'POST',
  path: '/widget/{widgetId}/messages',
  summary: "Send a visitor's message and receive the answer as it is written",
  description: `${TOKEN_NOTE} Server-sent events as those of \`sendChatMessage\`, without the tools.`,
  maxBodyBytes: 32 * 1024,
  body: chatMessageBody,
  example: { id: 'msg-0001', text: 'When are you open on Fridays?' },
  produces: 'text/event-stream',
  event: z.discriminatedUnion('type', answerEvents).meta({ id: 'VisitorChatEvent' }),
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

export const endVisitorChat = defineOperation({
  ...forVisitors,
  id: 'endVisitorChat',
  method: 'POST',
  path: '/widget/{widgetId}/end',
  summary: "End a visitor's chat",
  description: TOKEN_NOTE,
  response: enveloped(visitorChat),
  errors: LOOK_UP_ERRORS,
});

export const widgetOperations = [
  getChatWidget,
  putChatWidget,
  getWidget,
  createVisitorChat,
  getVisitorChat,
  sendVisitorMessage,
  endVisitorChat,
] as const;
