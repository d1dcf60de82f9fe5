import { createAsyncQueue } from '#lib/async-queue.ts';
import type { LegEvent, NeverConnectedReason } from '#lib/ports/carrier.ts';
import type { Clock } from '#lib/ports/clock.ts';
import { isFatal } from '#lib/ports/provider-failure.ts';
import type { Brain } from './brain/brain.ts';
import type { CallSession } from './call-session.ts';
import { type CallTimer, createEffects } from './conversation-effects.ts';
import type { CallFailure } from './call-failure.ts';
import type { HandOver } from './hand-over/hand-over.ts';
import { createReplies } from './replies.ts';
import { createTimers } from './timers.ts';
import type { Finish } from './tools/tool.ts';
import type { ToolExecutor } from './tools/tool-executor.ts';
import type { Supervision } from './supervision.ts';
import { transferTarget } from './tools/transfer-call.ts';
import { initialTurn, nextTurn } from './turn-machine.ts';
import type { CloseReason, SilentCloseReason, TurnEvent, TurnState } from './turn-state.ts';

/** How a call ended. `answered` is undefined where nobody ever did, then `neverConnected` may say why. */
export type CallEnd = {
  answered: Extract<LegEvent, { type: 'answered' }> | undefined;
  neverConnected: NeverConnectedReason | undefined;
  /** Undefined where the leg ended without a word about it. */
  hangup: Extract<LegEvent, { type: 'hangup' }> | undefined;
  /** What came of a message; null where no machine answered. */
  voicemail: TurnState['voicemail'];
  /** The answering machine hung up before the end of the message. */
  isMessageCut: boolean;
  /** Whether the person left a message; undefined where they were understood. */
  recordedMessage?: 'left' | 'none' | undefined;
  /** Why the engine itself ended the call, if it did. */
  closedFor: CloseReason | SilentCloseReason | undefined;
  /** That a person of the workspace ended it, and who. */
  endOrder?: { by?: string | undefined } | undefined;
  /** What made the engine end it, where `closedFor` is `failed`. */
  failure?: CallFailure | undefined;
  finish: Finish | undefined;
  transferredTo: string | null;
};

/** Of a message that the machine cut off: after so much of it somebody will hear who called. */
const MESSAGE_COUNTS_MS = 1_000;

type Item =
  | { from: 'leg'; event: LegEvent }
  | { from: 'timer'; name: CallTimer; isCurrent: () => boolean }
  | { from: 'agent'; event: TurnEvent; isCurrent: () => boolean };

type TurnsOptions = {
  session: CallSession;
  supervision: Supervision;
  brain: Brain;
  tools: ToolExecutor;
  /** Said to an answering machine. */
  message: string;
  /** Real time, for the end. */
  clock: Clock;
  handOver: HandOver;
  signal: AbortSignal;
};

/**
 * Runs a call from the ringing to the hang-up: feeds the turn machine with what happens on the line and does what it
 * asks for. Nothing is awaited on the way, so that whatever is slow (a store, a model, a disk) is never in the way of an
 * interruption. Returns when the leg has ended and every turn was handed to the sinks.
 */
export async function runTurns(options: TurnsOptions): Promise<CallEnd> {
  const { session, supervision, signal } = options;
  const { plan, leg } = session;
  const inbox = createAsyncQueue<Item>();
  const post = (event: TurnEvent, isCurrent = () => true) => inbox.push({ from: 'agent', event, isCurrent });
  const timers = createTimers<CallTimer>(leg.clock, (name, isCurrent) =>
    inbox.push({ from: 'timer', name, isCurrent }),
  );
  const replies = createReplies({ ...options, post });
  const effects = createEffects({ ...options, timers, replies, post });
  const line: Pick<CallEnd, 'answered' | 'neverConnected' | 'hangup'> = {
    answered: undefined,
    neverConnected: undefined,
    hangup: undefined,
  };
  let turn = initialTurn({
    hasBargeIn: plan.listening.hasBargeIn,
    silenceMs: plan.limits.silenceMs,
    backchannels: plan.language.lines.backchannels,
    keypad: leg.keypadOnly
      ? {
          canTransfer: transferTarget(plan) !== undefined,
          mayBeMachine: plan.direction === 'OUTBOUND',
          offers: 0,
          message: 'none',
        }
      : null,
  });

  function apply(event: TurnEvent): void {
    const step = nextTurn(turn, event);
    turn = step.state;
    for (const effect of step.effects) effects.perform(effect);
  }

  function handle(item: Item): void {
    if (item.from === 'leg') return handleLeg(item.event);
    if (!item.isCurrent()) return;
    const event = item.from === 'agent' ? item.event : effects.ring(item.name);
    if (event) apply(event);
  }

  function handleLeg(event: LegEvent): void {
    if (event.type === 'hangup') line.hangup = event;
    if (event.type === 'never_connected') line.neverConnected = event.reason;
    if (event.type === 'answered') {
      line.answered = event;
      session.begin(event);
      effects.begin();
    }
    storeEvent(session, event);
    showWords(supervision, event);
    const turnEvent = toTurnEvent(event);
    if (turnEvent) apply(turnEvent);
  }

  /** What is ordered of a line that is over changes nothing. */
  const obey: typeof effects.obey = (order) => {
    if (!line.neverConnected && !line.hangup) effects.obey(order);
  };
  const onAbort = () => post({ type: 'must_close', reason: 'shutdown' });
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  supervision.begin({ clock: leg.clock, onOrder: obey });
  const read = async () => {
    for await (const event of leg.events) inbox.push({ from: 'leg', event });
  };
  read().then(inbox.close, inbox.close);
  try {
    for await (const item of inbox) handle(item);
  } finally {
    signal.removeEventListener('abort', onAbort);
    apply({ type: 'hangup' });
    timers.clearAll();
  }
  const { messageMs, ...ending } = await effects.ending();
  const isMessageCut =
    turn.voicemail === 'no_message' && line.hangup?.by !== 'agent' && messageMs > MESSAGE_COUNTS_MS;
  return {
    ...line,
    voicemail: isMessageCut ? 'message_left' : turn.voicemail,
    isMessageCut,
    recordedMessage: turn.keypad?.message,
    ...ending,
  };
}

function storeEvent(session: CallSession, event: LegEvent): void {
  if (event.type === 'ringing') session.sinks.ringing(event.atMs);
  if (event.type === 'utterance') session.storeUtterance(event);
  if (
    event.type === 'transcription_retried' ||
    event.type === 'transcription_failed' ||
    event.type === 'voice_replaced' ||
    event.type === 'input_dropped'
  )
    session.storeFailure(event);
  if (event.type === 'digit') session.noteDigit(event);
  if (event.type === 'hold') session.sinks.event(event.isHeld ? 'call_held' : 'call_resumed', {});
}

/** What the person is saying, for whoever watches. */
function showWords(supervision: Supervision, event: LegEvent): void {
  if (event.type === 'interim') supervision.says({ speaker: 'human', text: event.text });
  if (event.type === 'transcription_failed') supervision.says({ speaker: 'human', text: '' });
}

function toTurnEvent(event: LegEvent): TurnEvent | undefined {
  switch (event.type) {
    case 'answered':
      return { type: 'answered', by: event.by };
    case 'speech_started':
      return { type: 'human_started' };
    case 'speech_stopped':
      return { type: 'human_stopped' };
    case 'utterance':
      return { type: 'utterance', text: event.text, endOfTurnMs: event.endOfTurnMs };
    case 'transcription_late':
      return { type: 'words_late' };
    case 'transcription_failed':
      return { type: 'not_understood', isHopeless: isFatal(event.kind) };
    case 'digit':
      return { type: 'digit', digit: event.digit };
    case 'beep':
      return { type: 'beep' };
    case 'hold':
      return { type: event.isHeld ? 'held' : 'resumed' };
    case 'machine_detected':
      return { type: 'machine', isGreetingOver: event.isGreetingOver };
    case 'ringing':
    case 'interim':
    case 'text':
    case 'transcription_retried':
    case 'voice_replaced':
    case 'input_dropped':
    case 'hangup':
    case 'never_connected':
      return undefined;
  }
}
