import { type AsyncQueue, createAsyncQueue } from '#lib/async-queue.ts';
import type { LegEvent } from '#lib/ports/carrier.ts';
import { soundsLikeMachine } from './answering-machine.ts';
import type { Brain } from './brain/brain.ts';
import type { CallSession } from './call-session.ts';
import { closingLine, repromptLine } from './fixed-lines.ts';
import { createReplies } from './replies.ts';
import { createTimers } from './timers.ts';
import type { Finish } from './tools/tool.ts';
import type { ToolExecutor } from './tools/tool-executor.ts';
import {
  type CloseReason,
  initialTurn,
  nextTurn,
  type TurnEffect,
  type TurnEvent,
  type TurnTimer,
} from './turn-machine.ts';

/** A pause after the last word, so that hanging up does not clip it. */
const AFTER_LAST_WORD_MS = 500;
/** The goodbye begins this long before the call's time is over. */
const GOODBYE_MS = 10_000;
const MINUTE_MS = 60_000;

export type ConversationEnd =
  | {
      type: 'ended';
      hungUpBy: 'human' | 'agent' | 'carrier';
      /** Why the engine itself ended the call, if it did. */
      closedFor: CloseReason | undefined;
      finish: Finish | undefined;
      transferredTo: string | null;
    }
  /** It is an answering machine whose greeting was just heard; `events` goes on with what the leg reports. */
  | { type: 'machine'; greeting: string; events: AsyncIterable<LegEvent> };

export type ConversationOptions = {
  session: CallSession;
  legEvents: AsyncIterable<LegEvent>;
  brain: Brain;
  tools: ToolExecutor;
  signal: AbortSignal;
};

type CallTimer = TurnTimer | 'max_duration' | 'time_is_up' | 'usage';

type Item =
  | { from: 'leg'; event: LegEvent }
  | { from: 'timer'; name: CallTimer; isCurrent: () => boolean }
  | { from: 'agent'; event: TurnEvent; isCurrent: () => boolean };

/**
 * Runs a live conversation from the opening to the hang-up: feeds the turn machine with what happens on the line and
 * does what it asks for. Returns when the leg has ended, with every turn stored.
 */
export async function runTurns(options: ConversationOptions): Promise<ConversationEnd> {
  const { session, signal } = options;
  const { plan, leg } = session;
  const inbox = createAsyncQueue<Item>();
  const timers = createTimers<CallTimer>(leg.clock, (name, isCurrent) =>
    inbox.push({ from: 'timer', name, isCurrent }),
  );
  const replies = createReplies({
    ...options,
    post: (event, isCurrent) => inbox.push({ from: 'agent', event, isCurrent }),
  });
  const effects = createEffects({ ...options, inbox, timers, replies });
  let turn = initialTurn({ hasBargeIn: plan.listening.hasBargeIn, silenceMs: plan.limits.silenceMs });
  let hungUpBy: 'human' | 'agent' | 'carrier' = 'carrier';
  let greeting: string | undefined;

  function apply(event: TurnEvent): void {
    const step = nextTurn(turn, event);
    turn = step.state;
    for (const effect of step.effects) effects.perform(effect);
  }

  async function handle(item: Item): Promise<void> {
    if (item.from === 'agent') return item.isCurrent() ? apply(item.event) : undefined;
    if (item.from === 'timer') {
      if (!item.isCurrent()) return;
      const event = await effects.ring(item.name);
      return event ? apply(event) : undefined;
    }
    const { event } = item;
    if (event.type === 'hangup') hungUpBy = event.by;
    if (event.type === 'utterance') {
      const isFirst = !session.hasHumanSpoken();
      await session.storeUtterance(event);
      if (isFirst && soundsLikeMachine(event.text)) greeting = event.text;
    }
    if (event.type === 'beep') await session.storeBeep(event);
    const turnEvent = toTurnEvent(event);
    if (turnEvent) apply(turnEvent);
  }

  const onAbort = () =>
    inbox.push({ from: 'agent', event: { type: 'must_close', reason: 'shutdown' }, isCurrent: () => true });
  signal.addEventListener('abort', onAbort, { once: true });
  timers.set('max_duration', Math.max(0, plan.limits.maxDurationMs - GOODBYE_MS));
  timers.set('usage', MINUTE_MS - GOODBYE_MS);
  const route = routeLegEvents(options.legEvents, inbox);
  apply({ type: 'agent_begins' });
  effects.open();
  if (signal.aborted) onAbort();

  try {
    for await (const item of inbox) {
      await handle(item);
      if (greeting !== undefined) break;
    }
  } finally {
    signal.removeEventListener('abort', onAbort);
    apply({ type: 'hangup' });
    timers.clearAll();
  }
  // Before anything is awaited: no event may fall between the two readers.
  const rest = greeting === undefined ? undefined : route.takeOver();
  const ending = await effects.ending();
  if (greeting !== undefined && rest) return { type: 'machine', greeting, events: rest };
  return { type: 'ended', hungUpBy, ...ending };
}

/** Does what the turn machine asks for, and keeps what the call ends with. */
function createEffects(
  options: ConversationOptions & {
    inbox: AsyncQueue<Item>;
    timers: ReturnType<typeof createTimers<CallTimer>>;
    replies: ReturnType<typeof createReplies>;
  },
) {
  const { session, brain, inbox, timers, replies } = options;
  const { plan, leg, log } = session;
  let closedFor: CloseReason | undefined;
  let finished: Finish | undefined;
  let transferredTo: string | null = null;
  let isOver = false;
  let pending: Promise<unknown> = Promise.resolve();

  function inBackground(work: Promise<void>): void {
    const handled = work.catch((error: unknown) => {
      log.error({ callId: plan.callId, err: error }, 'Part of a conversation failed');
      return leg.hangUp();
    });
    pending = Promise.allSettled([pending, handled]);
  }

  /** The last words were heard. Takes call time (a pause, ringing), so nothing waits for it. */
  async function finish(): Promise<void> {
    const finishing = replies.finish();
    finished = finishing;
    if (finishing?.kind !== 'transfer') {
      await leg.clock.sleep(AFTER_LAST_WORD_MS);
      return leg.hangUp();
    }
    const { to, callerId } = finishing;
    const result = await leg.transfer({ to, callerId });
    if (result.ok) transferredTo = to;
    await session.sinks.event('transfer', { to, callerId, ...result });
    if (result.ok) return leg.hangUp();
    if (isOver) return undefined;
    finished = undefined;
    inbox.push({ from: 'agent', event: { type: 'closing_failed' }, isCurrent: () => true });
    replies.speakLine(brain.recover(finishing, result.reason));
  }

  /** Every minute has to be granted before it begins, early enough for a goodbye. */
  async function extendUsage(): Promise<TurnEvent | undefined> {
    const minutesUsed = Math.round((session.elapsedMs() + GOODBYE_MS) / MINUTE_MS);
    if (await session.sinks.extendUsage((minutesUsed + 1) * 60)) {
      timers.set('usage', MINUTE_MS);
      return undefined;
    }
    timers.set('time_is_up', GOODBYE_MS);
    return { type: 'must_close', reason: 'usage_limit' };
  }

  return {
    open(): void {
      const to = plan.direction === 'INBOUND' && plan.hasAutoInboundTransfer ? plan.transferNumber : null;
      if (to === null) return replies.speakLine(plan.prompt.opening);
      inbox.push({ from: 'agent', event: { type: 'reply_closes' }, isCurrent: () => true });
      const callerId = plan.transferCallerId === 'human' ? plan.humanPhoneNumber : plan.agentPhoneNumber;
      replies.speakLine(plan.prompt.opening, { kind: 'transfer', to, callerId });
    },
    perform(effect: TurnEffect): void {
      switch (effect.type) {
        case 'set_timer':
          return timers.set(effect.name, effect.ms);
        case 'clear_timer':
          return timers.clear(effect.name);
        case 'think':
          return inBackground(leg.clock.during(replies.think(effect.heard)));
        case 'drop_reply':
          return replies.drop();
        case 'cut_speech':
          return replies.cut();
        case 'resume_speech':
          return replies.resume();
        case 'reprompt':
          return replies.speakLine(repromptLine(plan));
        case 'close':
          closedFor = effect.reason;
          return replies.speakLine(closingLine(effect.reason));
        case 'finish':
          return inBackground(finish());
      }
    },
    /** A timer rang; gives what the turn machine has to know of it. */
    async ring(name: CallTimer): Promise<TurnEvent | undefined> {
      switch (name) {
        case 'max_duration':
          timers.set('time_is_up', GOODBYE_MS);
          return { type: 'must_close', reason: 'max_duration' };
        case 'time_is_up':
          await leg.hangUp();
          return undefined;
        case 'usage':
          return extendUsage();
        case 'silence':
        case 'end_of_turn':
        case 'barge_in':
        case 'no_words':
        case 'closing_limit':
          return { type: 'timer', name };
      }
    },
    /** How the call ended, once everything that was begun is done. */
    async ending() {
      isOver = true;
      await pending;
      await replies.settled();
      return { closedFor, finish: finished, transferredTo };
    },
  };
}

function toTurnEvent(event: LegEvent): TurnEvent | undefined {
  switch (event.type) {
    case 'speech_started':
      return { type: 'human_started' };
    case 'speech_stopped':
      return { type: 'human_stopped' };
    case 'utterance':
      return { type: 'utterance', text: event.text };
    case 'ringing':
    case 'answered':
    case 'beep':
    case 'hangup':
    case 'never_connected':
      return undefined;
  }
}

/** Feeds the inbox until somebody else takes over the events that are still to come or were not handled yet. */
function routeLegEvents(legEvents: AsyncIterable<LegEvent>, inbox: AsyncQueue<Item>) {
  let rest: AsyncQueue<LegEvent> | undefined;
  let isEnded = false;
  const read = async () => {
    for await (const event of legEvents) {
      if (rest) rest.push(event);
      else inbox.push({ from: 'leg', event });
    }
  };
  const end = () => {
    isEnded = true;
    inbox.close();
    rest?.close();
  };
  read().then(end, end);
  return {
    takeOver(): AsyncIterable<LegEvent> {
      rest = createAsyncQueue<LegEvent>();
      for (const item of inbox.drain()) if (item.from === 'leg') rest.push(item.event);
      if (isEnded) rest.close();
      return rest;
    },
  };
}
