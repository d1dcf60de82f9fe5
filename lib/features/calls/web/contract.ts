import { z } from 'zod';
import { defineOperation, LONG_TEXT_BYTES, LOOK_UP_ERRORS } from '#lib/http/operation.ts';
import { enveloped, pathId, timestamp } from '#lib/http/schemas.ts';
import { callVariables } from '../contract.ts';

/** The WebSocket of a web call; the reference and docs/web-calls.md tell what is said on it. */
export const WEB_CALL_SOCKET_PATH = /^\/api\/web-calls\/([^/?]+)$/;

export { NO_SUCH_CALL } from '#lib/ports/browser-carrier.ts';
/** Closed with it: the call cannot be taken now (limits, an agent that is switched off); the reason says why. */
export const CALL_REFUSED = 4403;

export const preparedWebCall = z
  .object({
    conversationId: z.string().describe('The conversation that the call becomes'),
    webSocket: z
      .object({ url: z.string(), protocols: z.array(z.string()) })
      .describe(
        'Where the browser or app connects, once, and the subprotocols it names; they hold the ticket',
      ),
    webSocketUrl: z
      .string()
      .describe(
        'The same for who can name no subprotocol: holds the ticket, so it must not get into logs of proxies',
      ),
    expiresAt: timestamp.describe('Until when the first connection must be made'),
  })
  .meta({ id: 'PreparedWebCall' });
export type PreparedWebCall = z.output<typeof preparedWebCall>;

const wantedWebCall = z
  .strictObject({
    variables: callVariables.optional(),
    outboundPromptId: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('The agent opens with this outbound prompt; left out, it answers with its inbound prompt'),
    agentVersionId: z
      .string()
      .min(1)
      .max(500)
      .optional()
      .describe('Of a test: held with this version of the agent; left out, with what is published'),
    origin: z
      .string()
      .max(300)
      .refine((text) => URL.parse(text)?.origin === text, 'must be an origin such as https://example.com')
      .optional()
      .describe(
        'The only page that may connect; left out, whoever comes first, and after that the same only. A call that is prepared in a browser is bound to its page',
      ),
    isTest: z
      .boolean()
      .optional()
      .describe('A test is in no list of conversations, no usage and no webhook, unless asked for'),
  })
  .meta({ id: 'WebCall' });
export type WantedWebCall = z.output<typeof wantedWebCall>;

export const createWebCall = defineOperation({
  id: 'createWebCall',
  method: 'POST',
  path: '/agents/{agentId}/web-calls',
  scope: 'workspace',
  role: 'member',
  tag: 'Web calls',
  summary: 'Prepare a call over the web',
  description:
    'Answers with the address of a WebSocket on which a browser or an app talks to the agent: audio both ways, mono, 16-bit, 16 kHz PCM in binary messages, and JSON messages beside it. The call begins with the first connection.',
  maxBodyBytes: LONG_TEXT_BYTES,
  params: z.object({ agentId: pathId }),
  body: wantedWebCall,
  example: { variables: { name: 'Alex' }, isTest: true },
  response: enveloped(preparedWebCall),
  status: 201,
  errors: [...LOOK_UP_ERRORS, 'AGENT_INACTIVE', 'USAGE_LIMIT_EXCEEDED'],
});

export const webCallOperations = [createWebCall] as const;
