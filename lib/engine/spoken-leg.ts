import { createAsyncQueue } from '#lib/async-queue.ts';
import { SILENT_FRAME } from '#lib/media/media-output.ts';
import type {
  ControlEvent,
  LegEvent,
  MediaLeg,
  RecordingTap,
  SoundLine,
  SpokenLeg,
} from '#lib/ports/carrier.ts';
import type { MediaStream } from '#lib/ports/media.ts';
import type { ListeningOptions, SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import type { Listen, Listening } from './listening/listening.ts';
import { createInputBudget } from './listening/input-budget.ts';
import { createWrittenWords } from './listening/written-words.ts';
import { createMouth } from './mouth/mouth.ts';
import { makeRecordTone } from './mouth/record-tone.ts';
import { createPlayedSound } from './mouth/played-sound.ts';
import { trackSpeaking } from './track-speaking.ts';

/** Listens for speech and for beeps where there is nothing that could understand them. */
const HEARS_NO_WORDS: Transcriber = {
  model: 'none',
  open: () => ({
    begin: () => ({ write: () => undefined, transcribe: async () => ({ text: '' }), end: () => undefined }),
  }),
};

export type SpokenLegOptions = {
  /** Undefined: what is said is not understood, only keys and written words are (ControlEvent `digit` and `text`). */
  transcriber: Transcriber | undefined;
  speech: Pick<SpeechSynthesizer, 'synthesize'>;
  listening: ListeningOptions;
  listen(options: Listen): Listening;
};

/**
 * Puts listening and mouth on a leg that carries sound. Listening begins with the answer: what rings or is announced
 * before is not the person. Events of signalling and of speech come in the order in which they become known; they end
 * with the leg's own.
 */
export function openSpokenLeg(leg: MediaLeg, options: SpokenLegOptions): SpokenLeg {
  const { clock, media } = leg;
  const events = createAsyncQueue<LegEvent>();
  const sound = createPlayedSound(media);
  const speaking = trackSpeaking(clock, (isSpeaking) => listening?.agentSpeaking(isSpeaking));
  const onFallback = (reason: string) => events.push({ type: 'voice_replaced', atMs: clock.nowMs(), reason });
  const mouth = createMouth({ media: sound.output, clock, speech: options.speech, onFallback });
  let listening: Listening | undefined;
  let tap: RecordingTap | undefined;
  let isAnswered = false;
  let isHeld = false;
  // A far end with a screen can write, or tell what it understood by itself.
  const keypadOnly = !options.transcriber && !leg.show;
  let elsewhere: Parameters<SoundLine['onSound']>[0];

  const onFrame = fork(
    media,
    (frame, atMs) => {
      elsewhere?.(frame);
      if (!tap || !isAnswered) return;
      tap('human', frame, atMs);
      recordAgent();
    },
    // What plays while the call is on hold is said to nobody; whoever listens goes by frames, so silence comes instead.
    () => isHeld || elsewhere !== undefined,
  );

  function recordAgent(): void {
    sound.take(clock.nowMs(), (samples, atMs) => tap?.('agent', samples, atMs));
  }

  function begin(): void {
    isAnswered = true;
    const { transcriber = keypadOnly ? HEARS_NO_WORDS : undefined } = options;
    if (!transcriber) return;
    listening = options.listen({
      media: { onFrame },
      clock,
      transcriber,
      options: options.listening,
      onEvent(event) {
        if (event.type === 'interim') leg.show?.({ type: 'interim', text: event.text });
        events.push(event);
      },
    });
  }

  const written = createWrittenWords({ language: options.listening.language, onEvent: events.push });
  const budget = createInputBudget(clock);
  let isDropping = false;

  /** Whether the call may act on it. Whoever goes on sending too much is hung up on. */
  function accepts(event: ControlEvent): boolean {
    const decision = budget.take(event);
    const isTooMuch = decision === 'dropped' || decision === 'exceeded';
    if (isTooMuch && !isDropping) {
      const reason = 'More keys or messages came than a call takes';
      leg.show?.({ type: 'dropped', reason });
      events.push({ type: 'input_dropped', atMs: clock.nowMs(), reason });
    }
    isDropping = isTooMuch;
    if (decision === 'exceeded') void leg.hangUp();
    return decision === 'taken';
  }

  async function followSignalling(): Promise<void> {
    for await (const event of leg.events) {
      if (!accepts(event)) continue;
      if (event.type === 'answered') begin();
      if (event.type === 'hold') isHeld = event.isHeld;
      if (event.type === 'text') written.take(event);
      else events.push(event);
    }
  }

  function end(): void {
    recordAgent();
    listening?.close();
    mouth.stopSpeaking();
    events.close();
  }
  void followSignalling().then(end, end);

  return {
    reference: leg.reference,
    clock,
    events,
    answer: () => leg.answer(),
    hangUp: () => leg.hangUp(),
    transfer: (request) => leg.transfer(request),
    ...(leg.sendDigits ? { sendDigits: leg.sendDigits } : {}),
    speak(request) {
      const said = mouth.speak(request);
      speaking.follow(said);
      const { made } = request;
      const note = () => {
        const text = made?.text() ?? request.text;
        listening?.agentSaid(text);
        written.agentSaid(text);
      };
      // Known before its echo comes back.
      void said.started.then((atMs) => {
        if (atMs === undefined) return;
        note();
        void made?.whole.then(note);
      });
      return said;
    },
    stopSpeaking: mouth.stopSpeaking,
    ...(keypadOnly ? { keypadOnly: { playTone: () => mouth.play(makeRecordTone()) } } : {}),
    line: {
      onSound: (listener) => void (elsewhere = listener),
      write: (samples) => void mouth.play(samples),
      clear: mouth.stopPlaying,
    },
    record(next) {
      tap = next;
    },
  };
}

/**
 * Lets two listen where a stream has one listener: `first` hears each frame before whoever takes the result, for whom it
 * is silent while `isMuted`.
 */
function fork(
  media: Pick<MediaStream, 'onFrame'>,
  first: (frame: Int16Array, atMs: number) => void,
  isMuted: () => boolean,
): MediaStream['onFrame'] {
  let second: ((frame: Int16Array, atMs: number) => void) | undefined;
  media.onFrame((frame, atMs) => {
    first(frame, atMs);
    second?.(isMuted() ? SILENT_FRAME : frame, atMs);
  });
  return (listener) => {
    second = listener;
  };
}
