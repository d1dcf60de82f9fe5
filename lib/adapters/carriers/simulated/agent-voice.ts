import { truncateAtPlayout } from '#lib/media/heard-text.ts';
import { estimateWordStarts, shapeOf, shapeUntil } from '#lib/media/word-times.ts';
import { collectSpeech } from '#lib/media/samples.ts';
import type { RecordingTap, SpeakRequest, Speaking } from '#lib/ports/carrier.ts';
import { SAMPLES_PER_MS } from '#lib/ports/media.ts';
import type { SpeechSynthesizer } from '#lib/ports/speech.ts';
import type { AgentEar } from './agent-ear.ts';
import { passSound } from './pass-sound.ts';
import type { SimulatedClock } from './call-clock.ts';

/** So many texts are made into speech while the one before them is being said. */
const AHEAD = 2;

type Line = SpeakRequest & {
  started: PromiseWithResolvers<number | undefined>;
  finished: PromiseWithResolvers<Awaited<Speaking['finished']>>;
  /** Aborts when it is cut. */
  cut: AbortSignal;
  samples: Promise<Int16Array> | undefined;
};

export type AgentVoice = {
  speak(request: SpeakRequest): Speaking;
  stopSpeaking(): void;
};

type AgentVoiceOptions = {
  clock: SimulatedClock;
  speech: SpeechSynthesizer;
  ear: AgentEar;
  tap: RecordingTap;
  /** Aborts when the call is over. */
  over: AbortSignal;
};

/** What the agent says on a simulated leg: one text after the other, heard by the person as words. */
export function createAgentVoice(options: AgentVoiceOptions): AgentVoice {
  const { clock, over } = options;
  const lines: Line[] = [];
  let cutting = new AbortController();
  let isSaying = false;

  function makeAhead(): void {
    for (const line of lines.slice(0, 1 + AHEAD))
      if (!line.cut.aborted) line.samples ??= makeSpeech(line, options);
  }

  async function sayAll(): Promise<void> {
    isSaying = true;
    for (let line = lines[0]; line; line = lines[0]) {
      await say(line, options);
      lines.shift();
      makeAhead();
    }
    isSaying = false;
  }

  return {
    speak(request) {
      const line: Line = {
        ...request,
        started: Promise.withResolvers(),
        finished: Promise.withResolvers(),
        cut: cutting.signal,
        samples: undefined,
      };
      line.finished.promise.catch(() => undefined);
      if (over.aborted) settleUnheard(line, clock.nowMs());
      else {
        lines.push(line);
        makeAhead();
        if (!isSaying) void sayAll();
      }
      return { started: line.started.promise, finished: line.finished.promise };
    },
    stopSpeaking() {
      cutting.abort(new Error('the agent was cut'));
      cutting = new AbortController();
    },
  };
}

function makeSpeech({ text, voiceId, language, cut }: Line, options: AgentVoiceOptions): Promise<Int16Array> {
  const speech = options.speech.synthesize({ text, voiceId, language, signal: cut });
  const samples = options.clock.during(collectSpeech(speech));
  // Awaited when its turn comes; a failure meanwhile must not count as unhandled.
  samples.catch(() => undefined);
  return samples;
}

async function say(line: Line, options: AgentVoiceOptions): Promise<void> {
  try {
    const samples = await unlessCut(line.samples, line.cut);
    if (!samples) return settleUnheard(line, options.clock.nowMs());
    line.finished.resolve(await play(line, samples, options));
  } catch (error) {
    line.started.resolve(undefined);
    line.finished.reject(error);
  }
}

async function play(
  line: Line,
  samples: Int16Array,
  { clock, ear, tap }: AgentVoiceOptions,
): Promise<Awaited<Speaking['finished']>> {
  const durationMs = samples.length / SAMPLES_PER_MS;
  const startedAtMs = clock.nowMs();
  ear.agentStarted(line.text, durationMs);
  line.started.resolve(startedAtMs);
  const heardMs = await passSound({ clock, tap, side: 'agent', samples, signal: line.cut });
  ear.agentStopped();
  const words = truncateAtPlayout(line.text, heardMs, durationMs);
  const wordStartsMs = estimateWordStarts(words.heard, shapeUntil(shapeOf(samples), heardMs));
  return { ...words, heardMs, startedAtMs, endedAtMs: startedAtMs + heardMs, wordStartsMs };
}

/** Undefined as soon as it is cut: nobody waits for speech that will not be said. */
function unlessCut<T>(work: Promise<T> | undefined, cut: AbortSignal): Promise<T | undefined> {
  if (cut.aborted) return Promise.resolve(undefined);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  cut.addEventListener('abort', () => resolve(undefined), { once: true });
  return Promise.race([work, promise]);
}

function settleUnheard(line: Line, atMs: number): void {
  line.started.resolve(undefined);
  line.finished.resolve({
    heard: '',
    unheard: line.text,
    startedAtMs: atMs,
    endedAtMs: atMs,
    heardMs: 0,
  });
}
