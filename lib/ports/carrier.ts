import type { CarrierKind } from './carrier-kinds.ts';
import type { CallClock } from './clock.ts';
import type { ListeningOptions, Pcm } from './speech.ts';

export type NeverConnectedReason = 'no_answer' | 'busy' | 'network_failure' | 'rejected';

/** What happens at the far end, in order. Times are the call clock's milliseconds. */
export type LegEvent =
  | { type: 'ringing'; atMs: number }
  | { type: 'answered'; atMs: number; by: 'human' | 'machine' | 'unknown' }
  /** The person began to speak (voice activity), before any words are known. */
  | { type: 'speech_started'; atMs: number }
  /** The person fell silent; words may follow, or none where it was only a noise. */
  | { type: 'speech_stopped'; atMs: number }
  /** A finished utterance with its transcription. */
  | { type: 'utterance'; text: string; startedAtMs: number; endedAtMs: number; audio: Pcm }
  /** An answering machine's beep: a message may be left now. */
  | { type: 'beep'; atMs: number; audio?: Pcm }
  | { type: 'hangup'; atMs: number; by: 'human' | 'agent' | 'carrier' }
  | { type: 'never_connected'; atMs: number; reason: NeverConnectedReason };

/** One stretch of agent speech. `finished` resolves when it was played out or cut short. */
export type Playout = { finished: Promise<{ heardMs: number; interrupted: boolean }> };

/** One side of a call as the engine sees it. Closed by `hangUp` or by the far end; then `events` ends. */
export type Leg = {
  readonly reference: string;
  readonly clock: CallClock;
  readonly events: AsyncIterable<LegEvent>;
  /** Starts to play. `text` is what the audio says (a simulated person listens to it). */
  play(speech: { text: string; audio: Pcm }): Playout;
  /** Cuts what is being played; its `finished` resolves with what was really heard. */
  stopPlaying(): void;
  hangUp(): Promise<void>;
  /** Hands the person over. `callerId` is what the other party sees: the human's or the agent's number. */
  transfer(request: { to: string; callerId: string }): Promise<{ ok: true } | { ok: false; reason: string }>;
};

export type DialRequest = {
  /** Made from the attempt's id and committed before the carrier is called; a repeat must not dial again. */
  reference: string;
  from: string;
  to: string;
  variables: Record<string, string>;
  listening: ListeningOptions;
};

export type Carrier = {
  readonly kind: CarrierKind;
  dial(request: DialRequest): Promise<Leg>;
  /** After a crash: what became of a dial with this reference. `unknown` closes the call as FAILED. */
  lookup(reference: string): Promise<'never_placed' | 'in_progress' | 'ended' | 'unknown'>;
};

/** The carriers of this service. One that is only simulated can also let people call in by itself. */
export type Carriers = Partial<
  Record<CarrierKind, Carrier & { simulateInbound?(request: DialRequest): Promise<Leg> }>
>;
