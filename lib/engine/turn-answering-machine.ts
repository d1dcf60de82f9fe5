import {
  clear,
  CLEAR_ALL,
  go,
  hangUp,
  type Phase,
  set,
  stay,
  type TurnState,
  type TurnStep,
} from './turn-state.ts';
import { TURN_TIMING } from './turn-timing.ts';
import { takesNoMessage } from './voicemail-words.ts';

/**
 * Phases of a call that a machine answered: the message is said once, after the beep. Where the mailbox is full or no
 * beep comes, the agent hangs up without a word.
 */
export const ANSWERING_MACHINE = {
  awaiting_beep: {
    on: {
      // A long greeting is being spoken: the wait for the beep begins when it is over.
      human_started: (state) => go(state, set('beep', TURN_TIMING.beepLimitMs)),
      utterance: (state, { text }) => hearGreeting(state, text),
      beep: (state) => leaveMessage(state),
      machine: (state, { isGreetingOver }) => (isGreetingOver ? leaveMessage(state) : stay(state)),
    },
    timers: { beep: hangUp },
    close: hangUp,
  },
  leaving_message: {
    on: {
      utterance: (state, { text }) => (takesNoMessage(text) ? hangUp(state) : go(state)),
      reply_finished: (state) =>
        go({ ...state, voicemail: 'message_left' }, clear('message_limit'), { type: 'finish' }),
    },
    timers: { message_limit: hangUp },
    close: hangUp,
  },
} satisfies Record<string, Phase>;

/** A machine has answered. */
export function awaitBeep(state: TurnState): TurnStep {
  return go(
    { ...state, phase: 'awaiting_beep', voicemail: 'no_message' },
    set('beep', TURN_TIMING.afterGreetingMs),
  );
}

/** What was taken for a person turns out to be a machine by its first words: nothing of the conversation counts. */
export function discoverMachine(state: TurnState, greeting: string): TurnStep {
  const { state: waiting } = awaitBeep({ ...state, heard: [], answering: [], isCut: false });
  const { effects } = hearGreeting(waiting, greeting);
  return go(waiting, ...CLEAR_ALL, { type: 'drop_reply' }, { type: 'report_machine' }, ...effects);
}

/** The carrier has found the machine, by the sound of its greeting. */
export function hearOfMachine(state: TurnState, { isGreetingOver }: { isGreetingOver: boolean }): TurnStep {
  const { state: waiting, effects } = discoverMachine(state, '');
  if (!isGreetingOver) return go(waiting, ...effects);
  const { state: leaving, effects: leave } = leaveMessage(waiting);
  return go(leaving, ...effects, ...leave);
}

function leaveMessage(state: TurnState): TurnStep {
  return go(
    { ...state, phase: 'leaving_message' },
    clear('beep'),
    set('message_limit', TURN_TIMING.messageLimitMs),
    { type: 'leave_message' },
  );
}

function hearGreeting(state: TurnState, text: string): TurnStep {
  return takesNoMessage(text) ? hangUp(state) : go(state, set('beep', TURN_TIMING.afterGreetingMs));
}
