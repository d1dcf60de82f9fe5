import { createAsyncQueue } from '#lib/async-queue.ts';
import type { LegEvent } from '#lib/ports/carrier.ts';
import type { CallSession } from './call-session.ts';
import { createTimers } from './timers.ts';

/** A greeting longer than this without a beep is no voicemail that takes messages. */
const BEEP_LIMIT_MS = 45_000;
/** After the greeting, a beep comes within this time or not at all. */
const AFTER_GREETING_MS = 10_000;
const MESSAGE_LIMIT_MS = 60_000;
const AFTER_LAST_WORD_MS = 500;

const FULL =
  /\b(mail ?box|voice ?mail)\b[^.]*\b(full|not been set up|cannot accept|can't accept)|\bcannot (accept|take|receive) (any )?(new )?messages|\bnot accepting messages/i;
const GREETING =
  /\b(leave|record)\b[^.]{0,40}\bmessage|\b(after|at) the (tone|beep|signal)|\byou('ve| have) reached (the )?(voice ?mail|mail ?box)|\bvoice ?mail\b|\bis not available\b[^.]*\b(message|later)/i;

/** Whether these are the words of a voicemail rather than of a person who picked up. */
export function soundsLikeMachine(utterance: string): boolean {
  return GREETING.test(utterance) || FULL.test(utterance);
}

export type MessageEnd = {
  voicemail: 'message_left' | 'no_message';
  hungUpBy: 'human' | 'agent' | 'carrier';
};

type Item =
  | { type: 'leg'; event: LegEvent }
  | { type: 'give_up'; isCurrent: () => boolean }
  | { type: 'message_heard' }
  | { type: 'message_failed' };

/**
 * Talks to an answering machine: waits for the beep, says `message` once, hangs up. Where the mailbox is full or no
 * beep comes, it hangs up without a word. `greeting` is what was heard of the machine before.
 */
export async function leaveMessage(options: {
  session: CallSession;
  legEvents: AsyncIterable<LegEvent>;
  message: string;
  greeting?: string;
  signal: AbortSignal;
}): Promise<MessageEnd> {
  const { session, message, signal } = options;
  const { leg } = session;
  const inbox = createAsyncQueue<Item>();
  const timers = createTimers<'give_up'>(leg.clock, (_, isCurrent) =>
    inbox.push({ type: 'give_up', isCurrent }),
  );
  let voicemail: MessageEnd['voicemail'] = 'no_message';
  let hungUpBy: MessageEnd['hungUpBy'] = 'carrier';
  let reply: ReturnType<CallSession['beginReply']> | undefined;

  function speak(): void {
    if (reply) return;
    reply = session.beginReply({
      onFinished: () => inbox.push({ type: 'message_heard' }),
      onFailed: () => inbox.push({ type: 'message_failed' }),
    });
    reply.say(message);
    reply.complete();
    timers.set('give_up', MESSAGE_LIMIT_MS);
  }

  async function heardGreeting(text: string): Promise<void> {
    if (FULL.test(text)) return leg.hangUp();
    if (!reply) timers.set('give_up', AFTER_GREETING_MS);
  }

  async function handleLegEvent(event: LegEvent): Promise<void> {
    if (event.type === 'hangup') hungUpBy = event.by;
    if (event.type === 'utterance') {
      await session.storeUtterance(event);
      await heardGreeting(event.text);
    }
    // A long greeting is being spoken: the wait for the beep begins when it is over.
    if (event.type === 'speech_started' && !reply) timers.set('give_up', BEEP_LIMIT_MS);
    if (event.type === 'beep') {
      await session.storeBeep(event);
      speak();
    }
  }

  const pump = async () => {
    for await (const event of options.legEvents) inbox.push({ type: 'leg', event });
  };
  pump().then(inbox.close, inbox.close);
  const onAbort = () => inbox.push({ type: 'give_up', isCurrent: () => true });
  signal.addEventListener('abort', onAbort, { once: true });
  timers.set('give_up', AFTER_GREETING_MS);
  if (options.greeting !== undefined) await heardGreeting(options.greeting);

  for await (const item of inbox) {
    if (item.type === 'leg') await handleLegEvent(item.event);
    else if (item.type === 'message_heard') {
      voicemail = 'message_left';
      hangUpLater(session);
    } else if (item.type === 'message_failed' || item.isCurrent()) await leg.hangUp();
  }
  signal.removeEventListener('abort', onAbort);
  timers.clearAll();
  reply?.drop();
  await reply?.done;
  return { voicemail, hungUpBy };
}

function hangUpLater({ leg }: CallSession): void {
  leg.clock
    .sleep(AFTER_LAST_WORD_MS)
    .then(() => leg.hangUp())
    .catch(() => undefined);
}
