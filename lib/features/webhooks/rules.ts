import { createHmac } from 'node:crypto';
import { type Result, shownResults } from '#lib/features/agents/results/rules.ts';
import type { WebhookPayload } from './sending/contract.ts';

/** What the settings say about one agent's webhook. */
export type WebhookSetting = { isEnabled: boolean; agentUrl: string | null; workspaceUrl: string | null };

export type WebhookDecision = { send: true; url: string } | { send: false; reason: string | undefined };

/** The agent's URL takes precedence; a blank one falls back to that of the workspace (contract, Enabling and addressing 3). */
export function effectiveUrl(setting: Pick<WebhookSetting, 'agentUrl' | 'workspaceUrl'>): string | undefined {
  return [setting.agentUrl, setting.workspaceUrl].find((url) => url !== null && url.trim() !== '')?.trim();
}

/** Whether the end of a call is sent, and where to. `reason` is undefined where nobody asked for a webhook. */
export function decideWebhook(setting: WebhookSetting): WebhookDecision {
  if (!setting.isEnabled) return { send: false, reason: undefined };
  const url = effectiveUrl(setting);
  if (url) return { send: true, url };
  return { send: false, reason: 'The agent asks for a webhook, but neither it nor the workspace has a URL' };
}

/** What the stored call says about the body. */
export type EndedCall = {
  id: string;
  workspaceId: string;
  agentId: string;
  dateInitiated: Date;
  answeredAt: Date | null;
  transcript: string;
  direction: WebhookPayload['direction'];
  cost: number;
  agentPhoneNumber: string;
  humanPhoneNumber: string;
  durationSeconds: number;
  summary: string | null;
  sentiment: WebhookPayload['sentiment'] | null;
  disposition: WebhookPayload['disposition'] | null;
  tags: string[];
  variables: Record<string, string>;
  results: Result[] | null;
  recordingKey: string | null;
  /** Left out, or null: nobody asked for the call by HTTP. */
  traceparent?: string | null;
};

/**
 * The body for a stored call (contract, Events, Request). A call that never connected is FAILED with empty texts,
 * zeroes and no recording, whatever else is stored.
 */
export function payloadOf(call: EndedCall, recordingUrl: string | undefined): WebhookPayload {
  const isConnected = call.answeredAt !== null;
  const results = shownResults(call.results);
  return {
    conversationId: call.id,
    dateInitiated: call.dateInitiated.toISOString(),
    agentId: call.agentId,
    workspaceId: call.workspaceId,
    transcript: isConnected ? call.transcript : '',
    direction: call.direction,
    cost: isConnected ? call.cost : 0,
    agentPhoneNumber: call.agentPhoneNumber,
    humanPhoneNumber: call.humanPhoneNumber,
    duration: isConnected ? call.durationSeconds : 0,
    summary: isConnected ? (call.summary ?? '') : '',
    sentiment: isConnected ? (call.sentiment ?? 'N_A') : 'N_A',
    disposition: isConnected ? (call.disposition ?? 'COMPLETED') : 'FAILED',
    tags: call.tags,
    variables: call.variables,
    ...(isConnected && recordingUrl !== undefined ? { recordingUrl } : {}),
    ...(results === undefined ? {} : { results }),
  };
}

export function encodeBody(payload: WebhookPayload): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(payload));
}

/** Lowercase hex HMAC-SHA256 of the exact bytes, keyed with the whole secret, `whsec_` included (contract, Signature). */
export function signBody(body: Uint8Array, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

/** What a webhook request carries besides what HTTP itself asks for. */
export function requestHeaders(signature: string): Record<string, string> {
  return {
    'content-type': 'application/json',
    'user-agent': 'Callwright-Webhook/1',
    accept: '*/*',
    'accept-encoding': 'identity',
    'x-webhook-signature': signature,
  };
}

/** The body of the test event: the contract's shape with `event: "test"`, values that are plainly examples. */
export function testPayload(given: {
  id: string;
  workspaceId: string;
  agentId: string;
  now: Date;
}): WebhookPayload {
  return {
    conversationId: given.id,
    dateInitiated: given.now.toISOString(),
    agentId: given.agentId,
    workspaceId: given.workspaceId,
    transcript: 'Agent: Hello, this is a test of your webhook.\nHuman: It works.',
    direction: 'OUTBOUND',
    cost: 0,
    agentPhoneNumber: '+15550100000',
    humanPhoneNumber: '+15550100100',
    duration: 12,
    summary: 'This is the test event; no call was made.',
    sentiment: 'NEUTRAL',
    disposition: 'COMPLETED',
    tags: [],
    variables: {},
    event: 'test',
  };
}

export function newSecret(random: { secret(sizeBytes: number): string }): string {
  return `whsec_${random.secret(32)}`;
}
