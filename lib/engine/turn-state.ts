/**
 * The state of the turn machine (turn-machine.ts), what happens to it and what it asks for, as types, with the small
 * functions that make a step.
 */

/**
 * - `ringing`: nobody has answered yet
 * - `listening`: nobody speaks, the silence timer runs
 * - `hearing`: the person speaks
 * - `pausing`: the person stopped; the turn ends unless they go on
 * - `thinking`: the brain works on an answer, nothing is audible yet
 * - `speaking`: the agent is audible
 * - `held`: the person put the call on hold; nothing is said or heard, and no silence counts
 * - `closing`: the agent's last words, which nothing interrupts
 * - `awaiting_beep`: an answering machine answered; its greeting is heard out
 * - `leaving_message`: the agent speaks to the machine
 * - `offering`: the person cannot be understood, and is told what a key does
 * - `announcing`: the words and the tone before a message is recorded
 * - `taking_message`: the person leaves a message
 * - `ended`
 */
export type TurnPhase =
  | 'ringing'
  | 'listening'
  | 'hearing'
  | 'pausing'
  | 'thinking'
  | 'speaking'
  | 'held'
  | 'closing'
  | 'awaiting_beep'
  | 'leaving_message'
  | 'offering'
  | 'announcing'
  | 'taking_message'
  | 'ended';

const TURN_TIMERS = [
  'silence',
  'end_of_turn',
  'barge_in',
  'no_words',
  'closing_limit',
  'beep',
  'message_limit',
  'digits',
  'hold_limit',
] as const;
export type TurnTimer = (typeof TURN_TIMERS)[number];

export type CloseReason =
  | 'silence'
  | 'max_duration'
  | 'usage_limit'
  | 'shutdown'
  | 'failed'
  /** A person of the workspace ordered the end, or the transfer. */
  | 'end_ordered'
  | 'transfer_ordered';
/** Why the engine hangs up where there is nobody to say anything to. */
export type SilentCloseReason = 'hold';

/** A call on which only keys are understood. */
export type Keypad = {
  readonly canTransfer: boolean;
  /** The agent called, so that a beep is a machine's. */
  readonly mayBeMachine: boolean;
  /** How often it was said what a key does. */
  readonly offers: number;
  /** Whether the person left a message. */
  readonly message: 'left' | 'none';
};

export type TurnState = {
  readonly phase: TurnPhase;
  /** What the person said that was not answered yet. */
  readonly heard: readonly string[];
  /** What the answer in the making answers; goes back to `heard` when the person goes on instead. */
  readonly answering: readonly string[];
  readonly humanSpeaking: boolean;
  /** Keys that the person pressed and may go on pressing. */
  readonly digits: string;
  /** The first words tell a machine from a person; later ones do not. */
  readonly hasHeardWords: boolean;
  /** The agent was cut short and may go on, should it turn out to have been a noise. */
  readonly isCut: boolean;
  /** What waits while the call is on hold are its last words. */
  readonly isClosing: boolean;
  /** Null where the person is understood. */
  readonly keypad: Keypad | null;
  /** What came of the message; null while it is a person who answered. */
  readonly voicemail: 'message_left' | 'no_message' | null;
  readonly reprompts: number;
  /** Utterances in a row that could not be turned into words. */
  readonly lost: number;
  readonly hasBargeIn: boolean;
  /** Words of somebody who listens, in the language of the call. */
  readonly backchannels: readonly string[];
  readonly silenceMs: number;
};

export type TurnEvent =
  | { type: 'answered'; by: 'human' | 'machine' | 'unknown' }
  | { type: 'human_started' }
  | { type: 'human_stopped' }
  /** Something was said that could not be turned into words. `isHopeless`: nor will anything be that is said next. */
  | { type: 'not_understood'; isHopeless?: boolean }
  /** The words of what was said take long. */
  | { type: 'words_late' }
  /** `endOfTurnMs`: how long to wait for more of the turn, where whoever listened can tell. */
  | { type: 'utterance'; text: string; endOfTurnMs?: number | undefined }
  /** The person pressed a key. */
  | { type: 'digit'; digit: string }
  /** An answering machine's beep. */
  | { type: 'beep' }
  /** The person put the call on hold, or took it back. */
  | { type: 'held' }
  | { type: 'resumed' }
  /** The carrier says that a machine has answered. */
  | { type: 'machine'; isGreetingOver: boolean }
  /** The tone before a message was heard. */
  | { type: 'tone_played' }
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
  /** Somebody is on the line: say the opening. */
  | { type: 'open' }
  /** What was heard may be all: an answer can be begun, and spoken once `think` says the same. */
  | { type: 'prepare'; heard: string }
  | { type: 'think'; heard: string }
  /** No more keys follow these. */
  | { type: 'enter_digits'; digits: string }
  | { type: 'drop_reply' }
  | { type: 'cut_speech' }
  | { type: 'resume_speech' }
  | { type: 'reprompt' }
  /** Asks the person to say it again. */
  | { type: 'ask_again' }
  /** Says that something comes, whoever's turn it is. */
  | { type: 'fill' }
  | { type: 'close'; reason: CloseReason; failure?: 'transcription' }
  /** The words that were taken for a person's are a machine's. */
  | { type: 'report_machine' }
  | { type: 'leave_message' }
  /** Says what a key does. */
  | { type: 'offer_keypad' }
  | { type: 'announce_message' }
  | { type: 'play_tone' }
  /** What the person says from now on is their message. */
  | { type: 'begin_message' }
  | { type: 'end_message'; isLeft: boolean }
  /** Says goodbye to a person who was to leave a message. */
  | { type: 'thank'; isLeft: boolean }
  /** Puts the person through. */
  | { type: 'hand_over' }
  /** The last words were heard: hang up or hand over. */
  | { type: 'finish' }
  /** There is nothing to say: hang up at once. */
  | { type: 'hang_up'; closedFor?: SilentCloseReason };

export type TurnStep = { state: TurnState; effects: TurnEffect[] };

type EventOf<Type extends TurnEvent['type']> = Extract<TurnEvent, { type: Type }>;

/** What a phase does about each event; what is not listed changes nothing. */
export type Phase = {
  on: {
    [Type in Exclude<TurnEvent['type'], 'timer' | 'must_close' | 'hangup'>]?: (
      state: TurnState,
      event: EventOf<Type>,
    ) => TurnStep;
  };
  timers?: { [Name in TurnTimer]?: (state: TurnState) => TurnStep };
  /** The call has to end soon. */
  close: (state: TurnState, reason: CloseReason) => TurnStep;
};

export function clear(name: TurnTimer): TurnEffect {
  return { type: 'clear_timer', name };
}

export function set(name: TurnTimer, ms: number): TurnEffect {
  return { type: 'set_timer', name, ms };
}

export function go(state: TurnState, ...effects: TurnEffect[]): TurnStep {
  return { state, effects };
}

export function stay(state: TurnState): TurnStep {
  return { state, effects: [] };
}

export function hangUp(state: TurnState): TurnStep {
  return go(state, { type: 'hang_up' });
}

/** What a person is taken to have said who pressed these keys. */
export function describeDigits(digits: string): string {
  return `[pressed ${digits.split('').join(' ')}]`;
}

/** Ends the entry of digits, where there is one: it is kept whatever comes next. */
export function enterDigits(state: TurnState): TurnStep {
  if (state.digits === '') return stay(state);
  const { digits } = state;
  return go({ ...state, digits: '' }, clear('digits'), { type: 'enter_digits', digits });
}

export const CLEAR_ALL: readonly TurnEffect[] = TURN_TIMERS.map(clear);
