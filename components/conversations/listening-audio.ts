import { createLevel } from '#components/talk/level.ts';

const WORKLET = '/audio/talk-worklet.js';
const SAMPLES_PER_MS = 16;
const CHANNELS = 2;
/** So much is gathered before anything is heard: blocks of 100 ms do not come evenly. */
const CUSHION_MS = 200;
/** After a network that stood still for a moment what is late is left out: who listens in wants to hear now. */
const MOST_LATE_MS = 1_500;

/** What is heard of a call: the agent from the left, the human from the right. */
export type ListeningAudio = {
  /** Adds interleaved samples: 16 kHz, the agent's first. */
  play(samples: Int16Array): void;
  /** Loudness now, 0 to 1. */
  levels(): { agent: number; human: number };
  close(): void;
};

/** To be called from a click: browsers allow sound only then. */
export async function openListeningAudio(): Promise<ListeningAudio> {
  const context = new AudioContext({ latencyHint: 'playback' });
  try {
    await context.audioWorklet.addModule(WORKLET);
    await context.resume();
  } catch (error) {
    void context.close();
    throw error;
  }
  const sides = [connectSide(context, -0.6), connectSide(context, 0.6)] as const;
  let held: (readonly [Int16Array, Int16Array])[] = [];
  let playedMs = 0;
  let startedAt: number | undefined;

  const post = (block: readonly [Int16Array, Int16Array]) => {
    for (const [index, side] of sides.entries()) {
      const samples = block[index === 0 ? 0 : 1];
      side.speaker.port.postMessage(samples, [samples.buffer]);
    }
  };
  const startAnew = () => {
    for (const { speaker } of sides) speaker.port.postMessage('clear');
    held = [];
    startedAt = undefined;
    playedMs = 0;
  };

  return {
    play(samples) {
      const durationMs = samples.length / CHANNELS / SAMPLES_PER_MS;
      const waitingMs = startedAt === undefined ? 0 : playedMs - (context.currentTime - startedAt) * 1_000;
      // Nothing is left to play, or far too much.
      if (waitingMs < 0 || waitingMs > MOST_LATE_MS) startAnew();
      playedMs += durationMs;
      if (startedAt !== undefined) return post(split(samples));
      held.push(split(samples));
      if (playedMs < CUSHION_MS) return undefined;
      startedAt = context.currentTime;
      for (const block of held.splice(0)) post(block);
      return undefined;
    },
    levels: () => ({ agent: sides[0].level(), human: sides[1].level() }),
    close: () => void context.close(),
  };
}

function connectSide(context: AudioContext, pan: number) {
  const speaker = new AudioWorkletNode(context, 'talk-speaker', {
    numberOfInputs: 0,
    outputChannelCount: [1],
  });
  const place = new StereoPannerNode(context, { pan });
  speaker.connect(place).connect(context.destination);
  return { speaker, level: createLevel(speaker) };
}

function split(samples: Int16Array): readonly [Int16Array, Int16Array] {
  const [left, right] = [new Int16Array(samples.length / 2), new Int16Array(samples.length / 2)];
  for (let index = 0; index < left.length; index += 1) {
    left[index] = samples[index * CHANNELS] ?? 0;
    right[index] = samples[index * CHANNELS + 1] ?? 0;
  }
  return [left, right];
}
