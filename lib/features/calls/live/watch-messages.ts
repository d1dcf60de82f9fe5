import { z } from 'zod';
import type { LiveWords } from '#lib/engine/supervision.ts';
import { decodeG711, encodeG711 } from '#lib/media/g711.ts';
import type { LiveSound } from '#lib/media/live-mix.ts';
import { MOST_NOTIFICATION_BYTES } from './notifications.ts';

/** What the process that runs a call tells one that shows it. */
export type WatchNews =
  | { kind: 'words'; words: LiveWords }
  | { kind: 'sound'; sound: LiveSound }
  | { kind: 'ended' };

/** On which a process hears of calls that it shows. */
export const watchChannel = (process: string) => `callwright_watch_${process}`;

const message = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('words'),
    callId: z.string(),
    speaker: z.enum(['agent', 'human']),
    text: z.string(),
  }),
  z.object({ kind: z.literal('sound'), callId: z.string(), fromMs: z.number(), mulaw: z.base64() }),
  z.object({ kind: z.literal('ended'), callId: z.string() }),
]);
type Message = z.output<typeof message>;

/**
 * News as the text of a notification. Sound goes with 8 bits a sample, as on the telephone network, so that a block of
 * 100 ms fits into one. Of words that do not fit the last ones are told.
 */
export function writeWatchNews(callId: string, news: WatchNews): string {
  if (news.kind === 'ended') return JSON.stringify({ kind: 'ended', callId } satisfies Message);
  if (news.kind === 'words') return writeWords(callId, news.words);
  const { fromMs, samples } = news.sound;
  const mulaw = Buffer.from(encodeG711('mulaw', samples)).toString('base64');
  return JSON.stringify({ kind: 'sound', callId, fromMs, mulaw } satisfies Message);
}

function writeWords(callId: string, { speaker, text }: LiveWords): string {
  const whole = JSON.stringify({ kind: 'words', callId, speaker, text } satisfies Message);
  const over = Buffer.byteLength(whole) - MOST_NOTIFICATION_BYTES;
  if (over <= 0) return whole;
  const from = text.indexOf(' ', Math.ceil(text.length * (over / Buffer.byteLength(whole))));
  return writeWords(callId, { speaker, text: `…${text.slice(from < 0 ? text.length / 2 : from)}` });
}

/** Throws where the text is no such message. */
export function readWatchNews(text: string): { callId: string; news: WatchNews } {
  const read = message.parse(JSON.parse(text));
  const { callId } = read;
  if (read.kind === 'ended') return { callId, news: { kind: 'ended' } };
  if (read.kind === 'words')
    return { callId, news: { kind: 'words', words: { speaker: read.speaker, text: read.text } } };
  const samples = decodeG711('mulaw', Buffer.from(read.mulaw, 'base64'));
  return { callId, news: { kind: 'sound', sound: { fromMs: read.fromMs, samples } } };
}
