import { hearOfMachine } from './turn-answering-machine.ts';
import { close, CLOSING_LIMIT } from './turn-close.ts';
import {
  clear,
  CLEAR_ALL,
  go,
  type Keypad,
  type Phase,
  set,
  stay,
  type TurnEffect,
  type TurnState,
  type TurnStep,
} from './turn-state.ts';
import { TURN_TIMING } from './turn-timing.ts';

/** What is offered is said so often; who presses nothing is not there. */
const MOST_OFFERS = 3;

/**
 * Phases of a call on which the person's speech is never turned into words: they can leave a recorded message, or be
 * put through, by a key. Nothing is said that sounds as if somebody listened.
 */
export const KEYPAD = {
  offering: {
    on: {
      reply_finished: (state) => go(state, set('silence', TURN_TIMING.keyLimitMs)),
      // Callers who are handed over after the greeting have nothing to choose.
      reply_closes: (state) => go({ ...state, phase: 'closing' }, clear('silence'), CLOSING_LIMIT),
      digit: (state, { digit }) => choose(state, digit),
      beep: (state) =>
        state.keypad?.mayBeMachine ? hearOfMachine(state, { isGreetingOver: true }) : stay(state),
      machine: (state, event) => hearOfMachine(state, event),
      held: (state) =>
        go(
          { ...state, phase: 'held' },
          ...CLEAR_ALL,
          { type: 'drop_reply' },
          set('hold_limit', TURN_TIMING.holdLimitMs),
        ),
    },
    timers: { silence: (state) => offerAgain(state) },
    close,
  },
  announcing: {
    on: {
      reply_finished: (state) => go(state, { type: 'play_tone' }),
      tone_played: (state) =>
        go(
          { ...state, phase: 'taking_message' },
          { type: 'begin_message' },
          set('silence', TURN_TIMING.messageSilenceMs),
          set('message_limit', TURN_TIMING.takenMessageLimitMs),
        ),
    },
    close,
  },
  taking_message: {
    on: {
      human_started: (state) => go(withKeypad(state, { message: 'left' }), clear('silence')),
      human_stopped: (state) => go(state, set('silence', TURN_TIMING.messageSilenceMs)),
      digit: (state, { digit }) => (digit === '#' ? endMessage(state) : stay(state)),
    },
    timers: { silence: (state) => endMessage(state), message_limit: (state) => endMessage(state) },
    close: (state, reason) => {
      const { state: closed, effects } = close(state, reason);
      return go(closed, ...messageEffects(state), ...effects);
    },
  },
} satisfies Record<string, Phase>;

/** Says again what can be chosen; a person who never chooses is said goodbye to. */
export function offerAgain(state: TurnState): TurnStep {
  const offers = (state.keypad?.offers ?? 0) + 1;
  if (offers >= MOST_OFFERS) return close(state, 'silence');
  return go(
    { ...withKeypad(state, { offers }), phase: 'offering' },
    clear('silence'),
    { type: 'drop_reply' },
    { type: 'offer_keypad' },
  );
}

/** Whoever should take the call over does not answer: a message is all that is left. */
export function offerMessage(state: TurnState): TurnStep {
  return go({ ...withKeypad(state, { canTransfer: false }), phase: 'offering' }, clear('closing_limit'));
}

/** What has to be done about a message that is being recorded when the call ends, in whatever way. */
export function messageEffects({ phase, keypad }: TurnState): TurnEffect[] {
  return phase === 'taking_message' ? [{ type: 'end_message', isLeft: keypad?.message === 'left' }] : [];
}

function choose(state: TurnState, digit: string): TurnStep {
  const pressed: TurnEffect[] = [clear('silence'), { type: 'enter_digits', digits: digit }];
  if (digit === '1')
    return go(
      { ...state, phase: 'announcing' },
      ...pressed,
      { type: 'drop_reply' },
      { type: 'announce_message' },
    );
  if (digit === '2' && state.keypad?.canTransfer)
    return go(
      { ...state, phase: 'closing' },
      ...pressed,
      { type: 'drop_reply' },
      { type: 'hand_over' },
      CLOSING_LIMIT,
    );
  const { state: next, effects } = offerAgain(state);
  return go(next, ...pressed, ...effects);
}

function endMessage(state: TurnState): TurnStep {
  return go(
    { ...state, phase: 'closing' },
    ...CLEAR_ALL,
    ...messageEffects(state),
    { type: 'thank', isLeft: state.keypad?.message === 'left' },
    CLOSING_LIMIT,
  );
}

function withKeypad(state: TurnState, change: Partial<Keypad>): TurnState {
  return state.keypad ? { ...state, keypad: { ...state.keypad, ...change } } : state;
}
