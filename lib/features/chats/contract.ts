import { z } from 'zod';
import { callVariables } from '#lib/features/calls/contract.ts';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';
import { CHAT_LIMITS } from './rules.ts';

/** A message's text as a person sends it. */
export const messageText = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(CHAT_LIMITS.messageCharacters, `must be at most ${CHAT_LIMITS.messageCharacters} characters`);

export const chatMessageBody = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w-]{8,64}$/, 'must be 8 to 64 letters, digits, - and _')
      .describe(
        'Chosen by the sender, a new one for each message: sent again with the same id it is answered once',
      ),
    text: messageText,
  })
  .meta({ id: 'NewChatMessage' });
export type NewChatMessage = z.output<typeof chatMessageBody>;

export const shownMessage = z
  .object({
    seq: z.number().int(),
    from: z.enum(['agent', 'person']),
    text: z.string().describe("The agent's: Markdown with bold text, lists and links"),
    at: timestamp,
  })
  .meta({ id: 'ChatMessage' });
export type ShownMessage = z.output<typeof shownMessage>;

const shownToolUse = z
  .object({
    seq: z.number().int(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
    result: z.record(z.string(), z.unknown()),
    at: timestamp,
  })
  .meta({ id: 'ChatToolUse' });

const chatStatus = z.enum(['open', 'ended']);

export const chatState = z
  .object({
    conversationId: z.string().describe('The conversation that the chat is kept as'),
    agentId: z.string(),
    status: chatStatus,
    isAnswering: z.boolean().describe('An answer to the last message is being made'),
    isTest: z.boolean(),
    endReason: z.string().nullable(),
    messages: z.array(shownMessage),
    lastMessageId: z.string().nullable().describe('The id under which the last message was sent'),
    toolUses: z.array(shownToolUse),
  })
  .meta({ id: 'Chat' });
export type ChatState = z.output<typeof chatState>;

const event = <const Type extends string, Shape extends z.core.$ZodShape>(type: Type, shape: Shape) =>
  z.object({ type: z.literal(type), ...shape });

/** What everybody is told who receives an answer. */
export const answerEvents = [
  event('message', { message: shownMessage }).describe("The person's message as it was stored"),
  event('text', { text: z.string() }).describe('More of the answer'),
  event('answer', { message: shownMessage, status: chatStatus }).describe('The whole answer, stored'),
  event('failed', { reason: z.string() }).describe(
    'No answer could be made; the same message may be sent again',
  ),
  event('ended', {}).describe('The chat was ended meanwhile'),
] as const;

/** One event of the stream that answers a message. */
const chatEvent = z
  .discriminatedUnion('type', [...answerEvents, event('tool', { toolUse: shownToolUse })])
  .meta({ id: 'ChatEvent' });
export type ChatEvent = z.output<typeof chatEvent>;

const onChat = {
  scope: 'workspace',
  tag: 'Chats',
  params: z.object({ chatId: pathId }),
  status: 200,
} as const;

const wantedChat = z
  .strictObject({
    variables: callVariables.optional(),
    agentVersionId: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Of a test: held with this version of the agent; left out, with what is published'),
    isTest: z
      .boolean()
      .optional()
      .describe('A test is in no list of conversations and no webhook, unless asked for'),
  })
  .meta({ id: 'NewChat' });
export type WantedChat = z.output<typeof wantedChat>;

export const createChat = defineOperation({
  id: 'createChat',
  method: 'POST',
  path: '/agents/{agentId}/chats',
  scope: 'workspace',
  role: 'member',
  tag: 'Chats',
  summary: 'Begin a chat with an agent',
  description:
    'The agent follows its chat prompt (its inbound prompt where it has none) and uses the same tools as on calls. The answer holds its greeting. A chat ends by itself half an hour after the last message. docs/chat.md tells more, and how a website gets a chat without a server of its own.',
  maxBodyBytes: LONG_TEXT_BYTES,
  params: z.object({ agentId: pathId }),
  body: wantedChat,
  example: { variables: { name: 'Alex' }, isTest: true },
  response: enveloped(chatState),
  status: 201,
  errors: [...LOOK_UP_ERRORS, 'AGENT_INACTIVE', 'INVALID_STATE'],
});

export const getChat = defineOperation({
  ...onChat,
  id: 'getChat',
  method: 'GET',
  path: '/chats/{chatId}',
  role: 'viewer',
  summary: 'Read a chat',
  response: enveloped(chatState),
  errors: LOOK_UP_ERRORS,
});

export const sendChatMessage = defineOperation({
  ...onChat,
  id: 'sendChatMessage',
  method: 'POST',
  path: '/chats/{chatId}/messages',
  role: 'member',
  summary: 'Send a message and receive the answer as it is written',
  description:
    'Server-sent events, each with a JSON object as its data: `{"type":"message","message":…}` (what was sent, as it is kept), `{"type":"text","text":"…"}` (more of the answer), `{"type":"tool","toolUse":…}`, and at last one of `{"type":"answer","message":…,"status":"open"}` (the whole answer; `ended` where the agent ended the chat with it), `{"type":"failed","reason":"…"}` (send the same message again to try once more) and `{"type":"ended"}`. The answer is made to its end and kept when the connection breaks: read the chat then.',
  maxBodyBytes: 32 * 1024,
  body: chatMessageBody,
  example: { id: 'msg-0001', text: 'When are you open on Fridays?' },
  produces: 'text/event-stream',
  event: chatEvent,
  errors: [...LOOK_UP_ERRORS, 'INVALID_STATE'],
});

export const endChat = defineOperation({
  ...onChat,
  id: 'endChat',
  method: 'POST',
  path: '/chats/{chatId}/end',
  role: 'member',
  summary: 'End a chat',
  description: 'Ending a chat that has ended changes nothing.',
  response: enveloped(chatState),
  errors: LOOK_UP_ERRORS,
});

export const chatOperations = [createChat, getChat, sendChatMessage, endChat] as const;
