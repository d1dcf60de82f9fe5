import { isBackchannelIn } from './languages/backchannels.ts';
import { close, CLOSING_LIMIT } from './turn-close.ts';
import { offerAgain, offerMessage } from './turn-keypad.ts';
import {
  clear,
  CLEAR_ALL,
  describeDigits,
  enterDigits,
  go,
  type Phase,
  set,
  stay,
  type TurnEffect,
  type TurnEvent,
  type TurnState,
  type TurnStep,
} from './turn-state.ts';
import { endOfTurnDelayMs, TURN_TIMING } from './turn-timing.ts';

type Utterance = Extract<TurnEvent, { type: 'utterance' }>;

/** As often may it ask in a row. */
const MOST_LOST = 2;

/** While thinking or speaking. Without barge-in, what the person says waits until the agent has finished. */
const REPLYING: Phase = {
  on: {
    human_started: (state) => {
      const timers = state.hasBargeIn ? [set('barge_in', TURN_TIMING.bargeInMs)] : [];
      return go({ ...state, humanSpeaking: true }, ...timers);
    },
    human_stopped: (state) => go({ ...state, humanSpeaking: false }, clear('barge_in')),
    utterance: (state, event) => hearOver(state, event),
    not_understood: (state) => hearNoise(state),
    reply_audible: (state) => go({ ...state, phase: 'speaking' }),
    reply_closes: (state) => go({ ...state, phase: 'closing' }, clear('barge_in'), CLOSING_LIMIT),
    reply_finished: (state) => afterReply(state),
    digit: (state, { digit }) => pressOver(state, digit),
    held: (state) => hold(state),
  },
  timers: { barge_in: (state) => interrupt(state), digits: (state) => hearDigits(state) },
  close,
};

/** Phases of a conversation with a person. */
export const TALKING = {
  listening: {
    on: {
      human_started: (state) => go({ ...state, phase: 'hearing', humanSpeaking: true }, clear('silence')),
      utterance: (state, event) => pause(state, event),
      not_understood: (state, event) => askAgain(state, event),
      digit: (state, { digit }) => press({ ...state, phase: 'pausing' }, digit, clear('silence')),
      held: (state) => hold(state),
    },
    timers: {
      digits: (state) => hearDigits(state),
      silence: (state) => {
        if (state.reprompts > 0) return close(state, 'silence');
        return go({ ...state, phase: 'thinking', reprompts: state.reprompts + 1 }, { type: 'reprompt' });
      },
    },
    close,
  },
  hearing: {
    on: {
      human_started: (state) => go({ ...state, humanSpeaking: true }, clear('no_words')),
      human_stopped: (state) =>
        go({ ...state, humanSpeaking: false }, set('no_words', TURN_TIMING.noWordsMs)),
      utterance: (state, event) => hearOn(state, event),
      words_late: (state) => (state.humanSpeaking ? stay(state) : go(state, { type: 'fill' })),
      not_understood: (state, event) => askAgain(state, event),
      digit: (state, { digit }) => press(state, digit),
      held: (state) => hold(state),
    },
    timers: { no_words: (state) => afterNoise(state), digits: (state) => hearDigits(state) },
    close,
  },
  pausing: {
    on: {
      human_started: (state) => go({ ...state, phase: 'hearing', humanSpeaking: true }, clear('end_of_turn')),
      utterance: (state, event) => pause(state, event),
      digit: (state, { digit }) => press(state, digit, clear('end_of_turn')),
      held: (state) => hold(state),
    },
    timers: { end_of_turn: (state) => endTurn(state), digits: (state) => hearDigits(state) },
    close,
  },
  thinking: REPLYING,
  speaking: REPLYING,
  held: {
    on: {
      // Said before the call was put aside, and understood only now.
      utterance: (state, { text }) => go({ ...state, heard: [...state.heard, text] }),
      digit: (state, { digit }) => press(state, digit),
      reply_closes: (state) => go({ ...state, isClosing: true }),
      resumed: (state) => resume(state),
    },
    timers: {
      digits: (state) => keepDigits(state),
      hold_limit: (state) => {
        const { state: kept, effects } = keepDigits(state);
        return go(
          kept,
          ...effects,
          ...CLEAR_ALL,
          { type: 'drop_reply' },
          { type: 'hang_up', closedFor: 'hold' },
        );
      },
    },
    close,
  },
  closing: {
    on: {
      reply_finished: (state) => go(state, clear('closing_limit'), { type: 'finish' }),
      closing_failed: (state) =>
        state.keypad
          ? offerMessage(state)
          : go({ ...state, phase: 'thinking', answering: [] }, clear('closing_limit')),
    },
    timers: { closing_limit: (state) => go(state, { type: 'finish' }) },
    close: (state, reason) => {
      // Even the goodbye could not be spoken.
      if (reason === 'failed') return go(state, clear('closing_limit'), { type: 'finish' });
      return reason === 'shutdown' ? close(state, reason) : stay(state);
    },
  },
} satisfies Record<string, Phase>;

/** A finished utterance without words. */
export function hearNoise(state: TurnState): TurnStep {
  const still = { ...state, humanSpeaking: false };
  if (state.phase !== 'hearing') return go(still, clear('barge_in'));
  const { state: after, effects } = afterNoise(still);
  return go(after, clear('no_words'), ...effects);
}

/** The agent asks for it once more, and gives up where it never understands. */
function askAgain(state: TurnState, { isHopeless = false }: { isHopeless?: boolean }): TurnStep {
  const still = { ...state, humanSpeaking: false, lost: state.lost + 1 };
  if (isHopeless) return close(still, 'failed', 'transcription');
  // Cut by something nobody understood, it goes on; with words to answer already, it answers those.
  if (state.isCut || state.heard.length > 0) return hearNoise(state);
  if (still.lost > MOST_LOST) return close(still, 'failed', 'transcription');
  return go({ ...still, phase: 'thinking' }, clear('no_words'), clear('silence'), {
    type: 'ask_again',
  });
}

/** It was a noise: the agent goes on where it was cut, answers what it had to answer, or listens. */
function afterNoise(state: TurnState): TurnStep {
  if (state.digits !== '') return go({ ...state, phase: 'pausing' });
  if (state.isCut) return go({ ...state, phase: 'speaking', isCut: false }, { type: 'resume_speech' });
  if (state.heard.length > 0) return think(state);
  return listen(state);
}

/** What the agent fell silent for may have been a long "uh-huh" only: then it goes on. */
function hearOn(state: TurnState, event: Utterance): TurnStep {
  return state.isCut && isBackchannelIn(state, event.text) ? hearNoise(state) : pause(state, event);
}

/** The person says something while the agent thinks or speaks. */
function hearOver(state: TurnState, event: Utterance): TurnStep {
  const { text } = event;
  const still = { ...state, humanSpeaking: false };
  if (state.phase === 'thinking') {
    // What the agent says on its own (the opening) is said; an answer nobody heard yet is made anew for all of it.
    if (state.answering.length === 0)
      return go({ ...still, heard: [...state.heard, text] }, clear('barge_in'));
    return pause({ ...takeBack(still), isCut: true }, event, clear('barge_in'));
  }
  if (isBackchannelIn(state, text)) return go(still, clear('barge_in'));
  if (!state.hasBargeIn) return go({ ...still, heard: [...state.heard, text] });
  return pause({ ...still, isCut: true }, event, clear('barge_in'));
}

/** The person interrupts for good: speech is cut and may resume, an answer not yet audible is given up. */
function interrupt(state: TurnState): TurnStep {
  if (state.phase === 'speaking')
    return go({ ...state, phase: 'hearing', isCut: true }, { type: 'cut_speech' });
  if (state.answering.length === 0) return stay(state);
  return go({ ...takeBack(state), phase: 'hearing' }, { type: 'drop_reply' });
}

/** The person pressed a key, and may press another. */
function press(state: TurnState, digit: string, ...effects: TurnEffect[]): TurnStep {
  const waitMs = digit === '#' ? 0 : TURN_TIMING.nextDigitMs;
  return go({ ...state, digits: state.digits + digit }, ...effects, set('digits', waitMs));
}

/** A key interrupts at once: nobody presses one by accident. */
function pressOver(state: TurnState, digit: string): TurnStep {
  if (!state.hasBargeIn) return press(state, digit);
  const { state: interrupted, effects } = interrupt(state);
  if (interrupted.phase !== 'hearing') return press(state, digit);
  const phase = state.humanSpeaking ? 'hearing' : 'pausing';
  return press({ ...interrupted, phase }, digit, clear('barge_in'), ...effects);
}

/** No further key came: what was pressed counts as said. */
function hearDigits(state: TurnState): TurnStep {
  const { state: entered, effects } = enterDigits(state);
  if (effects.length === 0) return stay(state);
  const text = describeDigits(state.digits);
  const isWaiting = state.phase === 'thinking' || state.phase === 'speaking' || state.humanSpeaking;
  if (isWaiting) return keepDigits(state);
  const { state: paused, effects: pausing } = pause(entered, { type: 'utterance', text, endOfTurnMs: 0 });
  return go(paused, ...effects, ...pausing);
}

function takeBack(state: TurnState): TurnState {
  return { ...state, answering: [], heard: [...state.answering, ...state.heard] };
}

function afterReply(state: TurnState): TurnStep {
  const done = { ...state, answering: [], isCut: false };
  if (state.humanSpeaking) return go({ ...done, phase: 'hearing' }, clear('barge_in'));
  if (state.heard.length > 0)
    return go({ ...done, phase: 'pausing' }, set('end_of_turn', endOfTurnDelayMs('')));
  return listen(done);
}

function pause(state: TurnState, event: Utterance, ...effects: TurnEffect[]): TurnStep {
  const { text, endOfTurnMs = endOfTurnDelayMs(text) } = event;
  const dropped: TurnEffect[] = state.isCut ? [{ type: 'drop_reply' }] : [];
  const heard = [...state.heard, text];
  const isLikelyAll = endOfTurnMs <= TURN_TIMING.prepareWithinMs;
  return go(
    {
      ...state,
      phase: 'pausing',
      humanSpeaking: false,
      isCut: false,
      answering: [],
      reprompts: 0,
      lost: 0,
      heard,
    },
    ...effects,
    ...dropped,
    clear('silence'),
    clear('no_words'),
    set('end_of_turn', endOfTurnMs),
    ...(isLikelyAll ? [{ type: 'prepare', heard: heard.join(' ') } as const] : []),
  );
}

/** A turn is not over while keys may follow. */
function endTurn(state: TurnState): TurnStep {
  return state.digits === '' ? think(state) : stay(state);
}

function think(state: TurnState): TurnStep {
  if (state.heard.length === 0) return listen(state);
  return go(
    { ...state, phase: 'thinking', heard: [], answering: state.heard, isCut: false },
    { type: 'think', heard: state.heard.join(' ') },
  );
}

/** Half of the silence limit before the agent asks whether anybody is there, half after. */
function listen(state: TurnState): TurnStep {
  return go({ ...state, phase: 'listening' }, set('silence', state.silenceMs / 2));
}

/** The person puts the call aside: what the agent is saying, or is about to say, waits for them, and no silence counts. */
function hold(state: TurnState): TurnStep {
  const isReplying = state.phase === 'thinking' || state.phase === 'speaking';
  const { state: entered, effects } = keepDigits(state);
  return go(
    { ...entered, phase: 'held', humanSpeaking: false, isCut: isReplying || state.isCut },
    ...effects,
    ...CLEAR_ALL,
    ...(isReplying ? [{ type: 'cut_speech' } as const] : []),
    set('hold_limit', TURN_TIMING.holdLimitMs),
  );
}

/** The person is back: the agent goes on with what it was saying, answers what was said before, or listens. */
function resume(state: TurnState): TurnStep {
  const { state: entered, effects } = keepDigits(state);
  const { state: next, effects: more } = goOn(entered);
  return go(next, clear('hold_limit'), ...effects, ...more);
}

/** Keys that were pressed count as said, and are answered later. */
function keepDigits(state: TurnState): TurnStep {
  const { state: entered, effects } = enterDigits(state);
  if (effects.length === 0) return stay(state);
  return go({ ...entered, heard: [...entered.heard, describeDigits(state.digits)] }, ...effects);
}

function goOn(state: TurnState): TurnStep {
  if (state.keypad) return offerAgain(state);
  if (!state.isCut) return think(state);
  const next = { ...state, isCut: false, isClosing: false };
  if (state.isClosing) return go({ ...next, phase: 'closing' }, { type: 'resume_speech' }, CLOSING_LIMIT);
  return go({ ...next, phase: 'speaking' }, { type: 'resume_speech' });
}
