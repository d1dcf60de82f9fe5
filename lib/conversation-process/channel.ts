import type { Answer, AnswerValue, FromProcess } from './protocol.ts';

/** The way from a process that runs conversations to the service that started it. */
export type Channel = {
  /** With all else that is told in this turn of the event loop, as one list. */
  send(message: FromProcess): void;
  /** At once: somebody waits for it. */
  sendNow(message: FromProcess): void;
  /** Dropped where the service does not read: what is live is of no use later. */
  sendLive(message: FromProcess): void;
  /** Asks the service, which has the database. Rejects with its reason, or where it is gone. */
  ask(question: (request: number) => FromProcess): Promise<AnswerValue>;
  answered(answer: Answer): void;
  /** Nobody is there to answer any more. */
  giveUp(): void;
};

/** So many live messages may be on their way: five seconds of one call that somebody listens to. */
const MOST_LIVE = 50;

/** Opens the channel that `fork` made. Without the service what is sent is dropped: the journals have it. */
export function openChannel(): Channel {
  const waiting = new Map<number, PromiseWithResolvers<AnswerValue>>();
  let outbox: FromProcess[] = [];
  let lastRequest = 0;
  let isGivenUp = false;
  let live = 0;

  function flush(): void {
    if (outbox.length === 0) return;
    const list = outbox;
    outbox = [];
    if (process.connected) process.send?.(list, undefined, undefined, () => undefined);
  }

  function send(message: FromProcess): void {
    outbox.push(message);
    if (outbox.length === 1) setImmediate(flush);
  }

  return {
    send,
    sendNow(message) {
      outbox.push(message);
      flush();
    },
    sendLive(message) {
      if (live >= MOST_LIVE || !process.connected) return;
      live += 1;
      // After all that was told before: words must not come behind the turn that they became.
      flush();
      process.send?.([message], undefined, undefined, () => (live -= 1));
    },
    async ask(question) {
      if (isGivenUp) throw new Error('the service is gone');
      const request = (lastRequest += 1);
      const asked = Promise.withResolvers<AnswerValue>();
      waiting.set(request, asked);
      send(question(request));
      return asked.promise;
    },
    answered(answer) {
      const asked = waiting.get(answer.request);
      waiting.delete(answer.request);
      if ('error' in answer) asked?.reject(new Error(answer.error));
      else asked?.resolve(answer.value);
    },
    giveUp() {
      isGivenUp = true;
      for (const { reject } of waiting.values()) reject(new Error('the service is gone'));
      waiting.clear();
    },
  };
}
