import type { ConversationHost } from '#lib/conversation-process/host.ts';
import type { Dependencies } from '#lib/dependencies.ts';
import { describeError } from '#lib/log.ts';
import { type Notification, sendNotifications } from '../live/notifications.ts';
import { watchChannel, type WatchNews, writeWatchNews } from '../live/watch-messages.ts';
import { listWatches } from './repository.ts';

/** So words are told five times a second at most, and sound five blocks of it at a time. */
const TELL_EVERY_MS = 200;
/** Three seconds of the sound of twenty calls. Where the database is slow, what is older is not told: it is not live. */
const MOST_UNTOLD = 600;

type Watched = { hasSound: boolean; stop: () => void };

export type TellWatchers = (callIds: readonly string[]) => Promise<void>;

/**
 * Tells other processes what is said on calls of this one that they show to people, while they do. To be called with the
 * calls of this process, again and again: it looks who watches them.
 */
export function createWatchTelling(
  deps: Pick<Dependencies, 'db' | 'log'> & { conversationHost: Pick<ConversationHost, 'supervisor'> },
): TellWatchers {
  const { db, conversationHost } = deps;
  /** By call and process. */
  const told = new Map<string, Watched>();
  const outbox = createOutbox(deps);

  function begin(callId: string, process: string, hasSound: boolean): void {
    const key = keyOf(callId, process);
    const supervisor = conversationHost.supervisor(callId);
    // It has not begun, or is over.
    if (!supervisor) return;
    const tell = (news: WatchNews) => outbox.put({ callId, channel: watchChannel(process), news });
    const stop = supervisor.watch({
      words: (words) => tell({ kind: 'words', words }),
      ...(hasSound ? { sound: (sound) => tell({ kind: 'sound', sound }) } : {}),
      ended() {
        told.delete(key);
        tell({ kind: 'ended' });
      },
    });
    told.set(key, { hasSound, stop });
  }

  return async (callIds) => {
    const watches = await listWatches(db, callIds);
    const now = new Map(watches.map((watch) => [keyOf(watch.callId, watch.process), watch]));
    for (const [key, { hasSound, stop }] of told) {
      if (now.get(key)?.hasSound === hasSound) continue;
      stop();
      told.delete(key);
    }
    for (const [key, { callId, process, hasSound }] of now)
      if (!told.has(key)) begin(callId, process, hasSound);
  };
}

const keyOf = (callId: string, process: string) => `${callId} ${process}`;

type Letter = { callId: string; channel: string; news: WatchNews };

/** Collects what is to be told, and tells it in one statement at a time. */
function createOutbox({ db, log }: Pick<Dependencies, 'db' | 'log'>) {
  let letters: Letter[] = [];
  let waiting: NodeJS.Timeout | undefined;
  let isSending = false;

  async function send(): Promise<void> {
    waiting = undefined;
    const notifications = withoutReplaced(letters).map(notificationOf);
    letters = [];
    isSending = true;
    await sendNotifications(db, notifications).catch((error: unknown) =>
      log.warn({ event: 'watch_news_failed', error: describeError(error) }),
    );
    isSending = false;
    if (letters.length > 0) schedule();
  }

  function schedule(): void {
    if (!isSending) waiting ??= setTimeout(() => void send(), TELL_EVERY_MS).unref();
  }

  return {
    put(letter: Letter): void {
      letters.push(letter);
      if (letters.length > MOST_UNTOLD) letters = withoutReplaced(letters).slice(-MOST_UNTOLD);
      schedule();
    },
  };
}

/** Words of a side replace those before them. */
function withoutReplaced(letters: readonly Letter[]): Letter[] {
  const last = new Map<string, Letter>();
  for (const letter of letters)
    if (letter.news.kind === 'words') last.set(sideOf(letter, letter.news.words.speaker), letter);
  return letters.filter(
    (letter) =>
      letter.news.kind !== 'words' || last.get(sideOf(letter, letter.news.words.speaker)) === letter,
  );
}

const sideOf = ({ callId, channel }: Letter, speaker: string) => `${callId} ${channel} ${speaker}`;

const notificationOf = ({ callId, channel, news }: Letter): Notification => ({
  channel,
  message: writeWatchNews(callId, news),
});
