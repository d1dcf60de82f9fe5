import { createHmac, timingSafeEqual } from 'node:crypto';
import { originMatches } from './origins.ts';

/**
 * What opens a visitor's chat: its id, and a signature made for this widget. Whoever has it can read and write in this one
 * chat from an allowed page, until the chat ends.
 */
export function signChatToken(chat: { chatId: string; widgetId: string }, secret: string): string {
  return `${chat.chatId}.${signatureOf(chat, secret)}`;
}

/** The chat that a token opens; undefined for one that we did not make for this widget. */
export function chatOfToken(token: string, widgetId: string, secret: string): string | undefined {
  const [chatId = '', signature = ''] = token.split('.');
  const expected = Buffer.from(signatureOf({ chatId, widgetId }, secret));
  const given = Buffer.from(signature);
  return given.length === expected.length && timingSafeEqual(given, expected) ? chatId : undefined;
}

function signatureOf({ chatId, widgetId }: { chatId: string; widgetId: string }, secret: string): string {
  return createHmac('sha256', secret).update(['chat', widgetId, chatId].join('\n')).digest('base64url');
}

/** Whether a page of `origin` (as its browser says) may show the widget. */
export function isAllowedOrigin(origin: string | null, allowed: readonly string[]): origin is string {
  return origin !== null && allowed.some((pattern) => originMatches(pattern, origin));
}

/** By network and by widget, in one process: a person who writes fast stays below, a script does not. */
export const WIDGET_LIMITS = {
  config: { ofNetwork: { points: 120, seconds: 60 }, ofWidget: { points: 3_000, seconds: 60 } },
  start: { ofNetwork: { points: 10, seconds: 600 }, ofWidget: { points: 120, seconds: 60 } },
  message: { ofNetwork: { points: 20, seconds: 60 }, ofWidget: { points: 600, seconds: 60 } },
  /** Messages again: an office of many people behind one address writes fewer. */
  day: { ofNetwork: { points: 500, seconds: 86_400 }, ofWidget: { points: 50_000, seconds: 86_400 } },
} as const;
