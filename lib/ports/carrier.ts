import type { CarrierKind } from './carrier-kinds.ts';
import type { CallClock } from './clock.ts';
import type { MediaStream } from './media.ts';
import type { ProviderFailureKind } from './provider-failure.ts';
import type { MadeSpeech } from './speech.ts';
import type { WebConnection } from './web-connection.ts';

export type NeverConnectedReason = 'no_answer' | 'busy' | 'network_failure' | 'rejected';

/** What signalling tells, in order. Times are the call clock's milliseconds. */
export type ControlEvent =
  | { type: 'ringing'; atMs: number }
  | { type: 'answered'; atMs: number; by: 'human' | 'machine' | 'unknown' }
  /** The carrier found out that a machine has answered. `isGreetingOver`: a message may be left now. */
  | { type: 'machine_detected'; atMs: number; isGreetingOver: boolean }
  /** A key that was pressed at the far end: 0 to 9, `*`, `#`, A to D. */
  | { type: 'digit'; atMs: number; digit: string }
  /** The person put the call aside, or took it back: meanwhile nobody there hears the agent, and no one speaks to it. */
  | { type: 'hold'; atMs: number; isHeld: boolean }
  /**
   * Words from a far end with a screen: typed there (`typed`, a whole turn), or recognised there from speech, so far
   * (`interim`) or for good (`recognized`).
   */
  | { type: 'text'; atMs: number; text: string; state: 'typed' | 'interim' | 'recognized' }
  | { type: 'hangup'; atMs: number; by: 'human' | 'agent' | 'carrier' }
  | { type: 'never_connected'; atMs: number; reason: NeverConnectedReason };

/** `reason` is for a person. */
type TranscriptionFailure = { model: string; kind: ProviderFailureKind; reason: string };

/** What was made of the sound of the far end. */
export type SpeechEvent =
  /** The person began to speak (voice activity), before any words are known. */
  | { type: 'speech_started'; atMs: number }
  /** The words so far of an utterance that is not finished; each replaces the one before. */
  | { type: 'interim'; atMs: number; text: string }
  /** The person fell silent; words may follow, or none where it was only a noise. */
  | { type: 'speech_stopped'; atMs: number }
  /** A finished utterance with its transcription. */
  | {
      type: 'utterance';
      text: string;
      startedAtMs: number;
      endedAtMs: number;
      /** When each of its words began, counted from `startedAtMs`, where that is known or can be heard. */
      wordStartsMs?: number[] | undefined;
      /** How much longer to wait before this counts as the end of the turn; undefined: judged by its words. */
      endOfTurnMs?: number | undefined;
    }
  /** The person has been silent for a while, and it is still not known what they said. */
  | { type: 'transcription_late'; atMs: number }
  /** The words are asked for once more, `afterMs` after they were first. */
  | ({ type: 'transcription_retried'; atMs: number; afterMs: number } & TranscriptionFailure)
  /** Comes instead of an utterance: what was said could not be turned into words. */
  | ({ type: 'transcription_failed'; startedAtMs: number; endedAtMs: number } & TranscriptionFailure)
  /** The agent's voice failed and another one speaks in its place. */
  | { type: 'voice_replaced'; atMs: number; reason: string }
  /** The far end sent more keys or words than a call may; what was too much was dropped. `reason` is for a person. */
  | { type: 'input_dropped'; atMs: number; reason: string }
  /** An answering machine's beep: a message may be left now. */
  | { type: 'beep'; atMs: number };

/** What happens at the far end of a spoken leg, in order. */
export type LegEvent = ControlEvent | SpeechEvent;

/** The signalling of a leg. Closed by `hangUp` or by the far end; then its events end. */
export type LegControl = {
  readonly reference: string;
  readonly clock: CallClock;
  /** Takes a call that came in; its `answered` event follows. Changes nothing on a leg that was dialled. */
  answer(): Promise<void>;
  /** Ends the leg; a call that came in and was not answered is refused. Again, or after its end: nothing happens. */
  hangUp(): Promise<void>;
  /** Hands the person over. `callerId` is what the other party sees: the human's or the agent's number. */
  transfer(request: {
    to: string;
    callerId: string;
    /** Said to the other party before both are connected, by a line that can (a simulated one). */
    briefing?: string;
  }): Promise<{ ok: true } | { ok: false; reason: string }>;
  /** Presses keys (0 to 9, `*`, `#`). Left out where nothing at the far end listens to them: a browser, a simulation. */
  sendDigits?(digits: string): Promise<void>;
  /** Shows something at a far end that has a screen. */
  show?(caption: Caption): void;
  /**
   * By what a process that comes after this one can hang up on the person; undefined before the answer. Left out where
   * nobody is left on the line.
   */
  trace?(): LineTrace | undefined;
};

/** A line that was answered, in its carrier's own words, to be kept outside of the process. */
export type LineTrace = Readonly<Record<string, string>>;

export type Caption =
  /** What is understood of the person so far; replaces the one before. */
  | { type: 'interim'; text: string }
  /** Keys or words that came too fast were not taken; told once for each stretch of them. */
  | { type: 'dropped'; reason: string };

/** A leg that carries sound: a telephone, a browser. */
export type MediaLeg = LegControl & {
  readonly events: AsyncIterable<ControlEvent>;
  readonly media: MediaStream;
};

export type SpeakRequest = {
  text: string;
  voiceId: string | null;
  language: string | null;
  /** Speech that is to be played in place of `text`; only of a model that is given to a `MediaLeg`. */
  made?: MadeSpeech | undefined;
};

/** One text on its way to the person's ear. Neither promise has to be awaited. */
export type Speaking = {
  /** Call time of its first sound; undefined where none came. Never rejects. */
  started: Promise<number | undefined>;
  /**
   * Resolves when it was played out, or cut by `stopSpeaking` or by the end of the leg. `heard` and `unheard` are whole
   * words. Rejects when it could not be spoken; what was to be said after it goes on.
   */
  finished: Promise<{
    heard: string;
    unheard: string;
    startedAtMs: number;
    endedAtMs: number;
    heardMs: number;
    /** When each word of `heard` (what stands between blanks) began, counted from `startedAtMs`. */
    wordStartsMs?: number[] | undefined;
    /** What is left of speech that was being made. */
    rest?: MadeSpeech | undefined;
  }>;
};

/** Called with sound as it is heard; `atMs` is the call time of the first sample. The samples are lent, and must not be changed. */
export type RecordingTap = (side: 'agent' | 'human', samples: Int16Array, atMs: number) => void;

/**
 * A leg above listening and mouth, words in and words out: what the engine talks over. `openSpokenLeg` makes one of a
 * `MediaLeg`; a simulated person is one by itself.
 */
export type SpokenLeg = LegControl & {
  readonly events: AsyncIterable<LegEvent>;
  /** Says `text` after what is being said already. Its speech is begun at once, though never of more than two ahead. */
  speak(request: SpeakRequest): Speaking;
  /** Cuts all that is or was going to be said; each unfinished `Speaking` settles with what was heard of it. */
  stopSpeaking(): void;
  /** There where the person's speech is never turned into words, and only keys are understood. */
  keypadOnly?: {
    /** Plays the tone after which a message is recorded; resolves when it was played, or the leg ended. */
    playTone(): Promise<unknown>;
  };
  /** The bare sound of the person; left out where there is none. */
  line?: SoundLine;
  /** Gives both sides as they are heard. Called at most once, before the answer. */
  record(tap: RecordingTap): void;
};

/** A person's line while the agent does not talk on it: for waiting, and to connect two. */
export type SoundLine = {
  /** What the person says goes there, lent, and is not listened to; undefined: the agent listens again. */
  onSound(listener: ((frame: Int16Array) => void) | undefined): void;
  write(samples: Int16Array): void;
  /** Drops what was written and not played. */
  clear(): void;
};

/** One side of a call, told apart by `'media' in leg`. */
export type Leg = MediaLeg | SpokenLeg;

export type DialRequest = {
  /** Made from the attempt's id and committed before the carrier is called; a repeat must not dial again. */
  reference: string;
  from: string;
  to: string;
  /** The number that is ours, shown where the carrier does not let `from` be shown. */
  ownNumber?: string;
};

/** A call that comes in, while it rings at its carrier. */
export type IncomingCall = {
  /** Made by the carrier, once for each call: `pickUp` names the line by it. */
  reference: string;
  /** The number that was called and the caller's, as the network writes them; `from` is null where it is withheld. */
  to: string;
  from: string | null;
};

/** Why a call is not taken, for the carrier to tell the caller in its own way. */
export type IncomingRefusal =
  /** No agent has this number. */
  'unknown_number' | 'agent_off' | 'at_capacity' | 'usage_limit' | 'failed';

export type IncomingAnswer = { ok: true; callId: string } | { ok: false; reason: IncomingRefusal };

/** Asks whether a call is taken. Never rejects. After a yes its line is asked for by `pickUp`. */
export type TakeIncoming = (call: IncomingCall) => Promise<IncomingAnswer>;

/** What the servers of a carrier say of a call over HTTP: the fields of a form, and what it is about. */
export type CarrierNews = { topic: string; fields: Readonly<Record<string, string>> };

/** A call that was placed and whose end is not known: how it is found at its carrier. */
export type PlacedCall = {
  from: string;
  to: string;
  at: Date;
  /** Somebody has answered it. */
  trace?: LineTrace | undefined;
};

/** Making one opens nothing: the service builds its carriers in several processes, and only some of them use one. */
export type Carrier = {
  readonly kind: CarrierKind;
  /** Loads what the first call would wait for, and the calls beside it; in a process that is about to run calls. */
  prepare?(): Promise<void>;
  dial(request: DialRequest): Promise<Leg>;
  /**
   * Begins to ask for each call that comes in, and tells its state whenever it changes. Left out where nobody calls in, or
   * where a call comes in over HTTP.
   */
  listen?(take: TakeIncoming, onState?: (state: CarrierState) => void): Promise<void>;
  /**
   * The line of a call that was taken, still ringing: the agent answers it or hangs up. Waits for it where it is not there
   * yet; rejects where the caller is gone. Left out where nobody calls in.
   */
  pickUp?(reference: string): Promise<Leg>;
  /** Takes a connection with the sound of a call, by the call's reference. Rejects where the call is none of these. */
  connect?(reference: string, connection: WebConnection): Promise<void>;
  /** Takes what was said of a call, and gives what is to be answered; undefined where the call is none of these. */
  receive?(reference: string, news: CarrierNews): Promise<string | undefined>;
  /** Closes what it has opened; its calls have ended before. */
  close?(): Promise<void>;
  /**
   * After a crash: what became of a dial with this reference. `unknown` closes the call as FAILED. What is still ringing
   * there is given up; whoever has answered (`placed.trace`) is hung up on.
   */
  lookup(
    reference: string,
    placed?: PlacedCall,
  ): Promise<'never_placed' | 'in_progress' | 'ended' | 'unknown'>;
};

/**
 * Whether calls can come in, as the carrier knows it: it takes them (`listening`), has told its trunk where it is
 * (`registered`), is about to (`registering`), or cannot (`failed`, with a reason for a person).
 */
export type CarrierState = {
  state: 'listening' | 'registering' | 'registered' | 'failed';
  reason?: string | undefined;
};

/** The carriers of this service. */
export type Carriers = Partial<Record<CarrierKind, Carrier>>;
