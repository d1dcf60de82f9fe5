import { readFileSync } from 'node:fs';
import { createSpectrum } from './spectrum.ts';

/** Samples of one window, 32 ms. */
export const WINDOW_SAMPLES = 512;
/** What of the window before is seen again. */
const CONTEXT_SAMPLES = 64;
/** The network mirrors the last samples to get a fourth spectrum. */
const MIRRORED_SAMPLES = 64;
const SPECTRUM_SAMPLES = 256;
const HOP_SAMPLES = 128;
/** Lower ones are voices. */
const LOWEST_PITCH_BIN = 5;
const PURITY_FRAMES = [1, 2, 3, 4];
/** 129 bins, padded to a multiple of four. */
const BINS = 132;
const HIDDEN = 128;
/** Four stretches of a window, two at a time: where they begin, and where their spectra go. */
const PAIRS_OF_SPECTRA = [0, 2].map((frame): [[number, number], [number, number]] => [
  [frame * HOP_SAMPLES, (frame + 1) * HOP_SAMPLES],
  [(frame + 1) * BINS, (frame + 2) * BINS],
]);

/** What the network remembers of one stream. */
export type StreamMemory = {
  /** The hidden state, then the cell state. */
  state: Float32Array;
  context: Float32Array;
};

type Layer = { rows: number; columns: number };
/** Convolutions over time, each seen as rows of weights over neighbouring frames, and the recurrent layer. */
const LAYERS = {
  first: { rows: 128, columns: 3 * BINS },
  second: { rows: 64, columns: 3 * 128 },
  third: { rows: 64, columns: 2 * 64 },
  fourth: { rows: 128, columns: 64 },
  recurrent: { rows: 4 * HIDDEN, columns: 2 * HIDDEN },
} satisfies Record<string, Layer>;

type Dense = (
  weights: number,
  input: number,
  bias: number,
  out: number,
  rows: number,
  columns: number,
  floor: number,
) => void;

/** The same for four inputs, each `hop` bytes behind the one before. */
type DenseOfFour = (
  weights: number,
  input: number,
  bias: number,
  out: number,
  rows: number,
  columns: number,
  hop: number,
  floor: number,
) => void;
/** The recurrent step on the state at its place; gives what is made of it, without its bias. */
type Remember = (gates: number, state: number, weights: number, bytes: number) => number;

const NO_FLOOR = Number.NEGATIVE_INFINITY;

/** The network needs a while of silence before it hears the first word as well as the later ones. */
const WINDOWS_OF_SILENCE = 16;

export type Network = {
  /** The memory of a stream that has been silent until now. */
  createMemory(): StreamMemory;
  /** The probability that `window` (512 samples) holds speech, after all windows of the stream before it. */
  speechProbability(memory: StreamMemory, window: Int16Array): number;
  /** How much of the power of a quarter of the last window lies at one pitch: the most of the four, and only from 300 Hz on. */
  purity(): number;
};

/**
 * Silero's network for voice activity (version 6, 16 kHz), evaluated here: it is so small that a runtime for networks
 * costs more than the network (docs/decisions/0165). One for all streams of a process; 1.2 MB.
 */
export function createNetwork(): Network {
  const { dense, dense4, remember, floats, places } = load();
  const at = (offset: number, length: number) => floats.subarray(offset / 4, offset / 4 + length);
  const scratch = allocate(places.end);
  // The frames have a silent one before and behind, which the convolutions look at.
  const spectra = scratch(6 * BINS);
  const first = scratch(6 * 128);
  const second = scratch(2 * 64);
  const third = scratch(64);
  const recurrentInput = scratch(HIDDEN);
  // Behind it: the recurrent layer sees what was told before beside what comes in.
  const state = scratch(2 * HIDDEN);
  const gates = scratch(4 * HIDDEN);
  const samples = new Float32Array(CONTEXT_SAMPLES + WINDOW_SAMPLES + MIRRORED_SAMPLES);
  const spectrum = createSpectrum(SPECTRUM_SAMPLES);
  const frames = at(spectra, 6 * BINS);
  const stateNow = at(state, 2 * HIDDEN);
  const answerBias = floats[places.answer / 4 + HIDDEN] ?? 0;

  const run = (layer: keyof typeof LAYERS, input: number, out: number, floor: number) =>
    dense(
      places[layer].weights,
      input,
      places[layer].bias,
      out,
      LAYERS[layer].rows,
      LAYERS[layer].columns,
      floor,
    );

  function speechProbability(memory: StreamMemory, window: Int16Array): number {
    fillSamples(samples, memory, window);
    for (const [from, to] of PAIRS_OF_SPECTRA) spectrum(samples, from, frames, to);
    const { weights, bias } = places.first;
    const { rows, columns } = LAYERS.first;
    dense4(weights, spectra, bias, first + rows * 4, rows, columns, BINS * 4, 0);
    for (const frame of [0, 1]) run('second', first + 2 * frame * 128 * 4, second + frame * 64 * 4, 0);
    run('third', second, third, 0);
    run('fourth', third, recurrentInput, 0);
    stateNow.set(memory.state);
    run('recurrent', recurrentInput, gates, NO_FLOOR);
    const answer = remember(gates, state, places.answer, HIDDEN * 4);
    memory.state.set(stateNow);
    return sigmoid(answer + answerBias);
  }

  const silent = createSilentMemory(speechProbability);
  return {
    createMemory: () => ({ state: silent.state.slice(), context: silent.context.slice() }),
    speechProbability,
    purity: () => Math.max(...PURITY_FRAMES.map((frame) => purityOf(frames, frame * BINS))),
  };
}

/** The share of the loudest pitch in a spectrum: the window's shape spreads it over two bins on each side. */
function purityOf(spectra: Float32Array, from: number): number {
  let power = 0;
  let loudest = 0;
  for (let bin = 0; bin < SPECTRUM_SAMPLES / 2; bin += 1) {
    const magnitude = spectra[from + bin] ?? 0;
    power += magnitude * magnitude;
    if (magnitude > (spectra[from + loudest] ?? 0)) loudest = bin;
  }
  if (loudest < LOWEST_PITCH_BIN) return 0;
  let near = 0;
  for (let bin = loudest - 2; bin <= loudest + 2; bin += 1) near += (spectra[from + bin] ?? 0) ** 2;
  return near / power;
}

/** What the network looks at: the end of the window before, the window, and its end mirrored. */
function fillSamples(samples: Float32Array, memory: StreamMemory, window: Int16Array): void {
  samples.set(memory.context);
  for (let index = 0; index < WINDOW_SAMPLES; index += 1)
    samples[CONTEXT_SAMPLES + index] = (window[index] ?? 0) / 32_768;
  const last = CONTEXT_SAMPLES + WINDOW_SAMPLES - 1;
  for (let index = 1; index <= MIRRORED_SAMPLES; index += 1)
    samples[last + index] = samples[last - index] ?? 0;
  for (let index = 0; index < CONTEXT_SAMPLES; index += 1)
    memory.context[index] = samples[WINDOW_SAMPLES + index] ?? 0;
}

function createSilentMemory(speechProbability: Network['speechProbability']): StreamMemory {
  const memory: StreamMemory = {
    state: new Float32Array(2 * HIDDEN),
    context: new Float32Array(CONTEXT_SAMPLES),
  };
  for (let window = 0; window < WINDOWS_OF_SILENCE; window += 1)
    speechProbability(memory, new Int16Array(WINDOW_SAMPLES));
  return memory;
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

/** Puts the weights at the beginning of the compiled loop's memory; scripts/voice-activity-weights.ts wrote them. */
function load() {
  const file = (name: string) => readFileSync(new URL(name, import.meta.url));
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(file('./dense.wasm')));
  const { memory, ...loops } = exports as {
    memory: WebAssembly.Memory;
    dense: Dense;
    dense4: DenseOfFour;
    remember: Remember;
  };
  const weights = file('./weights.bin');
  new Uint8Array(memory.buffer).set(weights);
  const place = allocate(0);
  const placeOf = ({ rows, columns }: Layer) => ({ weights: place(rows * columns), bias: place(rows) });
  const places = {
    first: placeOf(LAYERS.first),
    second: placeOf(LAYERS.second),
    third: placeOf(LAYERS.third),
    fourth: placeOf(LAYERS.fourth),
    recurrent: placeOf(LAYERS.recurrent),
    answer: place(HIDDEN + 4),
    end: weights.length,
  };
  return { ...loops, floats: new Float32Array(memory.buffer), places };
}

/** Places in memory, one behind the other, in bytes. */
function allocate(start: number): (floats: number) => number {
  let next = start;
  return (floats) => {
    const place = next;
    next += floats * 4;
    return place;
  };
}
