import { createNetwork, type Network, WINDOW_SAMPLES } from './network.ts';
import { createNoiseGate } from './noise-gate.ts';

/** The network sees these many windows from before the gate opened, so that it knows how a sound began. */
const WINDOWS_BEFORE = 3;
/** The gate stays open for so long after the last loud window: 0.4 s. */
const WINDOWS_OPEN = 12;
/** A tone that counts as one over a whole window has more of the power in some part of it. */
const PURE_ENOUGH = 0.75;

export type VoiceScorer = {
  /** The probability that the window holds speech; 0, without asking the network, while the gate is closed. */
  score(window: Int16Array, levelDb: number): number;
  /** There is something to be heard, a voice or not. */
  isOpen(): boolean;
  /** The window that was scored last may be a single tone: a quick look, which is true of tones and of some voices. */
  mayBeTone(): boolean;
  /** While somebody speaks the network is asked about every window, quiet ones too. */
  keepOpen(): void;
};

let shared: Network | undefined;

/** Scores the windows of one stream. An idle one costs a look at its level and nothing else. */
export function createVoiceScorer(): VoiceScorer {
  const network = (shared ??= createNetwork());
  const memory = network.createMemory();
  const gate = createNoiseGate();
  const before = createEarlierWindows();
  let openFor = 0;
  return {
    score(window, levelDb) {
      const isLoud = gate.opens(levelDb);
      if (isLoud && openFor === 0) before.take((earlier) => network.speechProbability(memory, earlier));
      openFor = isLoud ? WINDOWS_OPEN : Math.max(0, openFor - 1);
      if (openFor > 0) return network.speechProbability(memory, window);
      before.keep(window);
      return 0;
    },
    isOpen: () => openFor > 0,
    mayBeTone: () => openFor > 0 && network.purity() > PURE_ENOUGH,
    keepOpen() {
      openFor = WINDOWS_OPEN;
    },
  };
}

/** The last windows of a closed gate, in memory that is used again: most windows of a call are such. */
function createEarlierWindows() {
  const windows = Array.from({ length: WINDOWS_BEFORE }, () => new Int16Array(WINDOW_SAMPLES));
  let count = 0;
  return {
    keep(window: Int16Array): void {
      windows[count % WINDOWS_BEFORE]?.set(window);
      count += 1;
    },
    /** Gives what is kept, the earliest first, and forgets it. */
    take(look: (window: Int16Array) => void): void {
      for (let index = Math.max(0, count - WINDOWS_BEFORE); index < count; index += 1) {
        const window = windows[index % WINDOWS_BEFORE];
        if (window) look(window);
      }
      count = 0;
    },
  };
}
