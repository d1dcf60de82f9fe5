import { endOfTurnDelayMs, isBackchannel, TURN_TIMING } from './turn-timing.ts';

/**
 * Whose turn it is in a live conversation. A pure machine: `nextTurn(state, event)` gives the new state and what is
 * to be done; the session (session.ts) does it and feeds back what happened.
 *
 * - `listening`: nobody speaks, the silence timer runs
 * - `hearing`: the person speaks
 * - `pausing`: the person stopped; the turn ends unless they go on
 * - `thinking`: the brain works on an answer, nothing is audible yet
 * - `speaking`: the agent is audible
 * - `closing`: the agent's last words, which nothing interrupts
 * - `ended`
 */
export type TurnPhase = 'listening' | 'hearing' | 'pausing' | 'thinking' | 'speaking' | 'closing' | 'ended';

export type TurnTimer = 'silence' | 'end_of_turn' | 'barge_in' | 'no_words' | 'closing_limit';

export type CloseReason = 'silence' | 'max_duration' | 'usage_limit' | 'shutdown' | 'failed';

export type TurnState = {
  readonly phase: TurnPhase;
  /** What the person said that was not answered yet. */
  readonly heard: readonly string[];
  /** What the answer in the making answers; goes back to `heard` when the person goes on instead. */
  readonly answering: readonly string[];
  readonly humanSpeaking: boolean;
  /** The agent was cut short and may go on, should it turn out to have been a noise. */
  readonly isCut: boolean;
  readonly reprompts: number;
  readonly hasBargeIn: boolean;
  readonly silenceMs: number;
};

export type TurnEvent =
  | { type: 'human_started' }
  | { type: 'human_stopped' }
  | { type: 'utterance'; text: string }
  /** The agent begins to speak on its own: the opening, a reprompt. */
  | { type: 'agent_begins' }
  | { type: 'reply_audible' }
  /** The reply holds the last words of the call (a tool ends or transfers it). */
  | { type: 'reply_closes' }
  | { type: 'reply_finished' }
  /** The call goes on after all: a transfer failed. */
  | { type: 'closing_failed' }
  | { type: 'timer'; name: TurnTimer }
  | { type: 'must_close'; reason: CloseReason }
  | { type: 'hangup' };

export type TurnEffect =
  | { type: 'set_timer'; name: TurnTimer; ms: number }
  | { type: 'clear_timer'; name: TurnTimer }
  | { type: 'think'; heard: string }
  | { type: 'drop_reply' }
  | { type: 'cut_speech' }
  | { type: 'resume_speech' }
  | { type: 'reprompt' }
  | { type: 'close'; reason: CloseReason }
  /** The last words were heard: hang up or hand over. */
  | { type: 'finish' };

export type TurnStep = { state: TurnState; effects: TurnEffect[] };

/** The machine before anybody has spoken. `silenceMs`: how much silence in a row ends the call. */
export function initialTurn(options: { hasBargeIn: boolean; silenceMs: number }): TurnState {
  return {
    phase: 'listening',
    heard: [],
    answering: [],
    humanSpeaking: false,
    isCut: false,
    reprompts: 0,
    ...options,
  };
}

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;

/** What a phase does about each event; what is not listed changes nothing. */
type Phase = {
  on: {
    [Type in Exclude<TurnEvent['type'], 'timer'>]?: (state: TurnState, event: EventOf<Type>) => TurnStep;
  };
  timers?: { [Name in TurnTimer]?: (state: TurnState) => TurnStep };
};

/** While thinking or speaking. Without barge-in, what the person says waits until the agent has finished. */
const REPLYING: Phase = {
  on: {
    human_started: (state) => {
      const timers = state.hasBargeIn ? [set('barge_in', TURN_TIMING.bargeInMs)] : [];
      return go({ ...state, humanSpeaking: true }, ...timers);
    },
    human_stopped: (state) => go({ ...state, humanSpeaking: false }, clear('barge_in')),
    utterance: (state, { text }) => hearOver(state, text),
    reply_audible: (state) => go({ ...state, phase: 'speaking' }),
    reply_closes: (state) =>
      go({ ...state, phase: 'closing' }, clear('barge_in'), set('closing_limit', TURN_TIMING.closingLimitMs)),
    reply_finished: (state) => afterReply(state),
  },
  timers: { barge_in: (state) => interrupt(state) },
};

const PHASES: Record<Exclude<TurnPhase, 'ended'>, Phase> = {
  listening: {
    on: {
      human_started: (state) => go({ ...state, phase: 'hearing', humanSpeaking: true }, clear('silence')),
      utterance: (state, { text }) => pause(state, text),
      agent_begins: (state) => go({ ...state, phase: 'thinking' }, clear('silence')),
    },
    timers: {
      silence: (state) => {
        if (state.reprompts > 0) return close(state, 'silence');
        return go({ ...state, phase: 'thinking', reprompts: state.reprompts + 1 }, { type: 'reprompt' });
      },
    },
  },
  hearing: {
    on: {
      human_started: (state) => go({ ...state, humanSpeaking: true }, clear('no_words')),
      human_stopped: (state) =>
        go({ ...state, humanSpeaking: false }, set('no_words', TURN_TIMING.noWordsMs)),
      utterance: (state, { text }) => pause(state, text),
    },
    timers: { no_words: (state) => afterNoise(state) },
  },
  pausing: {
    on: {
      human_started: (state) => go({ ...state, phase: 'hearing', humanSpeaking: true }, clear('end_of_turn')),
      utterance: (state, { text }) => pause(state, text),
    },
    timers: { end_of_turn: (state) => think(state) },
  },
  thinking: REPLYING,
  speaking: REPLYING,
  closing: {
    on: {
      reply_finished: (state) => go(state, clear('closing_limit'), { type: 'finish' }),
      closing_failed: (state) => go({ ...state, phase: 'thinking', answering: [] }, clear('closing_limit')),
    },
    timers: { closing_limit: (state) => go(state, { type: 'finish' }) },
  },
};

export function nextTurn(state: TurnState, event: TurnEvent): TurnStep {
  if (state.phase === 'ended') return stay(state);
  if (event.type === 'hangup') return end(state);
  if (event.type === 'must_close') return close(state, event.reason);
  if (event.type === 'utterance' && event.text.trim() === '') return hearNoise(state);
  const phase = PHASES[state.phase];
  if (event.type === 'timer') return phase.timers?.[event.name]?.(state) ?? stay(state);
  // The key is the event's own type, which the compiler cannot follow through the look-up.
  const handle = phase.on[event.type] as ((state: TurnState, event: TurnEvent) => TurnStep) | undefined;
  return handle?.(state, event) ?? stay(state);
}

/** A finished utterance without words. */
function hearNoise(state: TurnState): TurnStep {
  const still = { ...state, humanSpeaking: false };
  if (state.phase !== 'hearing') return go(still, clear('barge_in'));
  const { state: after, effects } = afterNoise(still);
  return go(after, clear('no_words'), ...effects);
}

/** It was a noise: the agent goes on where it was cut, answers what it had to answer, or listens. */
function afterNoise(state: TurnState): TurnStep {
  if (state.isCut) return go({ ...state, phase: 'speaking', isCut: false }, { type: 'resume_speech' });
  if (state.heard.length > 0) return think(state);
  return listen(state);
}

/** The person says something while the agent thinks or speaks. */
function hearOver(state: TurnState, text: string): TurnStep {
  const still = { ...state, humanSpeaking: false };
  if (state.phase === 'thinking') {
    // What the agent says on its own (the opening) is said; an answer nobody heard yet is made anew for all of it.
    if (state.answering.length === 0)
      return go({ ...still, heard: [...state.heard, text] }, clear('barge_in'));
    return pause({ ...takeBack(still), isCut: true }, text, clear('barge_in'));
  }
  if (isBackchannel(text)) return go(still, clear('barge_in'));
  if (!state.hasBargeIn) return go({ ...still, heard: [...state.heard, text] });
  return pause({ ...still, isCut: true }, text, clear('barge_in'));
}

/** The person interrupts for good: speech is cut and may resume, an answer not yet audible is given up. */
function interrupt(state: TurnState): TurnStep {
  if (state.phase === 'speaking')
    return go({ ...state, phase: 'hearing', isCut: true }, { type: 'cut_speech' });
  if (state.answering.length === 0) return stay(state);
  return go({ ...takeBack(state), phase: 'hearing' }, { type: 'drop_reply' });
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

function pause(state: TurnState, text: string, ...effects: TurnEffect[]): TurnStep {
  const dropped: TurnEffect[] = state.isCut ? [{ type: 'drop_reply' }] : [];
  return go(
    {
      ...state,
      phase: 'pausing',
      humanSpeaking: false,
      isCut: false,
      answering: [],
      reprompts: 0,
      heard: [...state.heard, text],
    },
    ...effects,
    ...dropped,
    clear('silence'),
    clear('no_words'),
    set('end_of_turn', endOfTurnDelayMs(text)),
  );
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

function close(state: TurnState, reason: CloseReason): TurnStep {
  // Even the goodbye could not be spoken.
  if (state.phase === 'closing' && reason === 'failed')
    return go(state, clear('closing_limit'), { type: 'finish' });
  if (state.phase === 'closing' && reason !== 'shutdown') return stay(state);
  const limitMs = reason === 'shutdown' ? TURN_TIMING.shutdownLimitMs : TURN_TIMING.closingLimitMs;
  return go(
    { ...state, phase: 'closing', isCut: false, heard: [], answering: [] },
    ...CLEAR_ALL,
    { type: 'drop_reply' },
    { type: 'close', reason },
    set('closing_limit', limitMs),
  );
}

function end(state: TurnState): TurnStep {
  return go({ ...state, phase: 'ended', isCut: false, humanSpeaking: false }, ...CLEAR_ALL, {
    type: 'drop_reply',
  });
}

const CLEAR_ALL: readonly TurnEffect[] = (
  ['silence', 'end_of_turn', 'barge_in', 'no_words', 'closing_limit'] as const
).map(clear);

function clear(name: TurnTimer): TurnEffect {
  return { type: 'clear_timer', name };
}

function set(name: TurnTimer, ms: number): TurnEffect {
  return { type: 'set_timer', name, ms };
}

function go(state: TurnState, ...effects: TurnEffect[]): TurnStep {
  return { state, effects };
}

function stay(state: TurnState): TurnStep {
  return { state, effects: [] };
}
