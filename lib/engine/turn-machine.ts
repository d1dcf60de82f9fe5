import { ANSWERING_MACHINE, awaitBeep, discoverMachine, hearOfMachine } from './turn-answering-machine.ts';
import {
  CLEAR_ALL,
  enterDigits,
  go,
  hangUp,
  type Phase,
  stay,
  type TurnEvent,
  type TurnPhase,
  type TurnState,
  type TurnStep,
} from './turn-state.ts';
import { KEYPAD, messageEffects } from './turn-keypad.ts';
import { hearNoise, TALKING } from './turn-talking.ts';
import { soundsLikeMachine } from './voicemail-words.ts';

/** The machine before anybody has answered. `silenceMs`: how much silence in a row ends the call. */
export function initialTurn(
  options: Pick<TurnState, 'hasBargeIn' | 'silenceMs' | 'backchannels' | 'keypad'>,
): TurnState {
  return {
    phase: 'ringing',
    heard: [],
    answering: [],
    humanSpeaking: false,
    digits: '',
    hasHeardWords: false,
    isCut: false,
    isClosing: false,
    voicemail: null,
    reprompts: 0,
    lost: 0,
    ...options,
  };
}

const PHASES: Record<Exclude<TurnPhase, 'ended'>, Phase> = {
  ringing: {
    on: {
      answered: (state, { by }) =>
        by === 'machine'
          ? awaitBeep(state)
          : go({ ...state, phase: state.keypad ? 'offering' : 'thinking' }, { type: 'open' }),
    },
    close: hangUp,
  },
  ...TALKING,
  ...ANSWERING_MACHINE,
  ...KEYPAD,
};

/**
 * Whose turn it is on a call, from the ringing to the hang-up. A pure machine: `nextTurn(state, event)` gives the new
 * state and what is to be done; the conversation (conversation.ts) does it and feeds back what happened.
 */
export function nextTurn(state: TurnState, event: TurnEvent): TurnStep {
  if (state.phase === 'ended') return stay(state);
  if (event.type === 'hangup') return afterDigits(state, end);
  const phase = PHASES[state.phase];
  // A machine is handed to nobody, and before the answer there is nobody to hand over.
  if (event.type === 'must_close' && event.reason === 'transfer_ordered' && !(state.phase in TALKING))
    return stay(state);
  if (event.type === 'must_close') return afterDigits(state, (entered) => phase.close(entered, event.reason));
  if (event.type === 'timer') return phase.timers?.[event.name]?.(state) ?? stay(state);
  if (event.type === 'utterance' && state.phase in TALKING) return hear(state, phase, event);
  if (event.type === 'machine' && state.phase in TALKING && state.phase !== 'closing')
    return hearOfMachine(state, event);
  return handle(state, phase, event);
}

function hear(state: TurnState, phase: Phase, event: Extract<TurnEvent, { type: 'utterance' }>): TurnStep {
  if (event.text.trim() === '') return hearNoise(state);
  const heard = { ...state, hasHeardWords: true };
  const isMachine = !state.hasHeardWords && state.phase !== 'closing' && soundsLikeMachine(event.text);
  return isMachine ? discoverMachine(heard, event.text) : handle(heard, phase, event);
}

function handle(state: TurnState, { on }: Phase, event: TurnEvent): TurnStep {
  // The key is the event's own type, which the compiler cannot follow through the look-up.
  const handler = (on as Record<string, ((state: TurnState, event: TurnEvent) => TurnStep) | undefined>)[
    event.type
  ];
  return handler?.(state, event) ?? stay(state);
}

/** Digits that were pressed are kept, though nobody answers them any more. */
function afterDigits(state: TurnState, step: (state: TurnState) => TurnStep): TurnStep {
  const { state: entered, effects } = enterDigits(state);
  const next = step(entered);
  return go(next.state, ...effects, ...next.effects);
}

function end(state: TurnState): TurnStep {
  return go(
    { ...state, phase: 'ended', isCut: false, humanSpeaking: false },
    ...messageEffects(state),
    ...CLEAR_ALL,
    {
      type: 'drop_reply',
    },
  );
}
