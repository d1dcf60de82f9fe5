import { createToneDetector } from '#lib/media/tone-detector.ts';
import { createVoiceDetector } from '#lib/media/voice-activity/detector.ts';
import type { SpeechEvent } from '#lib/ports/carrier.ts';
import type { CallClock } from '#lib/ports/clock.ts';
import { FRAME_MS, type MediaStream } from '#lib/ports/media.ts';
import type { ListeningOptions } from '#lib/ports/speech.ts';
import type { Transcriber } from '#lib/ports/transcription.ts';
import { createEchoGuard } from './echo.ts';
import { createStretches } from './stretches.ts';
import { createTurnEnd } from './turn-end.ts';

export type Listen = {
  /** The far end's frames; this takes the stream's one listener. A tap for the recording stands before it. */
  media: Pick<MediaStream, 'onFrame'>;
  clock: CallClock;
  transcriber: Transcriber;
  /** Hints, language and multilingual reach the transcription; the language also chooses the cues of a turn's end. */
  options: ListeningOptions;
  /** Gets each event as it happens; never called again after `close`. */
  onEvent(event: SpeechEvent): void;
};

export type Listening = {
  /**
   * The agent said `text` (whole sentences, as they are heard): what kind of answer may follow, and how long people
   * take to give it, comes from the last question.
   */
  agentSaid(text: string): void;
  /** The agent is audible from now on, or no more. Its echo must not count as the person's speech. */
  agentSpeaking(isSpeaking: boolean): void;
  /** The call is over: everything under way is given up. */
  close(): void;
};

/**
 * Listens to the far end of a call: finds speech, has it transcribed, judges when a turn is over, notices a beep. All
 * of it is timed by the frames.
 */
export function listen(options: Listen): Listening {
  const { clock, onEvent } = options;
  const over = new AbortController();
  const emit = (event: SpeechEvent) => {
    if (!over.signal.aborted) onEvent(event);
  };
  const echo = createEchoGuard();
  const turnEnd = createTurnEnd(options.options);
  const stretches = createStretches({
    transcription: options.transcriber.open({ ...options.options, signal: over.signal }),
    model: options.transcriber.model,
    echo,
    turnEnd,
    emit,
    nowMs: () => clock.nowMs(),
    isSpeechLikely: () => detector.isBeginning(),
  });
  const tone = createToneDetector(({ atMs }) => {
    // Before anybody spoke it is the line's own tone.
    if (stretches.hasHeardSpeech()) emit({ type: 'beep', atMs });
  });
  const detector = createVoiceDetector({
    onChange: stretches.change,
    onLoudWindow: tone.push,
    pauseMs: stretches.pauseMs,
    leastDb: echo.leastDb,
  });

  options.media.onFrame((samples, atMs) => {
    if (over.signal.aborted) return;
    stretches.keep({ samples, atMs });
    detector.push(samples, atMs);
    stretches.tick(atMs + FRAME_MS);
  });

  return {
    agentSaid(text) {
      echo.agentSaid(text);
      turnEnd.agentSaid(text);
    },
    agentSpeaking(isSpeaking) {
      echo.agentSpeaking(isSpeaking);
      if (isSpeaking) stretches.forgetPause();
    },
    close() {
      stretches.close();
      over.abort(new Error('The call is over'));
    },
  };
}
