/*
 * The audio threads of a talk in the browser: `talk-microphone` turns what the microphone hears into frames of 20 ms
 * (mono, signed 16 bit, 16 kHz), `talk-speaker` plays such frames. The page (components/talk/audio.ts) moves them to and
 * from the service. `sampleRate` is the rate of the page's audio context, 48,000 or 44,100 as a rule.
 */
const WIRE_RATE = 16_000;
const FRAME_SAMPLES = 320;
/** As much is gathered before playing begins, so that frames that come unevenly make no gaps. */
const CUSHION_SAMPLES = FRAME_SAMPLES * 3;

const PHASES = 128;

/**
 * Resamples a stream by a windowed sinc, which also takes away what the lower rate cannot carry. Gives a function from a
 * block of samples to the samples that can be made with it.
 */
function createResampler(fromRate, toRate) {
  const step = fromRate / toRate;
  const cutoff = 0.46 * Math.min(1, toRate / fromRate) * 2;
  const halfWidth = Math.ceil(16 * Math.max(1, step));
  const taps = halfWidth * 2;
  const kernels = Array.from({ length: PHASES + 1 }, (_, phase) => kernel(phase / PHASES));

  function kernel(offset) {
    const weights = new Float32Array(taps);
    let sum = 0;
    for (let tap = 0; tap < taps; tap += 1) {
      const distance = tap - halfWidth + 1 - offset;
      const angle = Math.PI * cutoff * distance;
      const sinc = distance === 0 ? cutoff : (Math.sin(angle) / angle) * cutoff;
      const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / halfWidth);
      weights[tap] = Math.abs(distance) > halfWidth ? 0 : sinc * window;
      sum += weights[tap];
    }
    for (let tap = 0; tap < taps; tap += 1) weights[tap] /= sum;
    return weights;
  }

  let kept = new Float32Array(taps);
  let position = halfWidth;
  return (block) => {
    const input = new Float32Array(kept.length + block.length);
    input.set(kept);
    input.set(block, kept.length);
    const output = [];
    while (Math.floor(position) + halfWidth < input.length) {
      const whole = Math.floor(position);
      const weights = kernels[Math.round((position - whole) * PHASES)];
      let sample = 0;
      for (let tap = 0; tap < taps; tap += 1) sample += input[whole - halfWidth + 1 + tap] * weights[tap];
      output.push(sample);
      position += step;
    }
    const drop = Math.max(0, Math.floor(position) - halfWidth);
    kept = input.slice(drop);
    position -= drop;
    return output;
  };
}

class TalkMicrophone extends AudioWorkletProcessor {
  constructor() {
    super();
    this.resample = createResampler(sampleRate, WIRE_RATE);
    this.frame = new Int16Array(FRAME_SAMPLES);
    this.filled = 0;
  }

  process([input]) {
    const channel = input?.[0];
    if (!channel) return true;
    for (const sample of this.resample(channel)) {
      this.frame[this.filled] = Math.round(Math.max(-1, Math.min(1, sample)) * 32_767);
      this.filled += 1;
      if (this.filled < FRAME_SAMPLES) continue;
      this.port.postMessage(this.frame, [this.frame.buffer]);
      this.frame = new Int16Array(FRAME_SAMPLES);
      this.filled = 0;
    }
    return true;
  }
}

class TalkSpeaker extends AudioWorkletProcessor {
  constructor() {
    super();
    this.clear();
    this.port.onmessage = ({ data }) => {
      if (data === 'clear') this.clear();
      else this.add(data);
    };
  }

  clear() {
    this.resample = createResampler(WIRE_RATE, sampleRate);
    this.blocks = [];
    this.offset = 0;
    this.waiting = 0;
    this.isPlaying = false;
  }

  add(frame) {
    const block = this.resample(Float32Array.from(frame, (sample) => sample / 32_768));
    this.blocks.push(block);
    this.waiting += block.length;
    if (this.waiting >= (CUSHION_SAMPLES * sampleRate) / WIRE_RATE) this.isPlaying = true;
  }

  process(_inputs, [output]) {
    const channel = output[0];
    if (!this.isPlaying) return true;
    for (let index = 0; index < channel.length; index += 1) {
      const block = this.blocks[0];
      if (!block) {
        // Nothing came in time: gather anew instead of stuttering from frame to frame.
        this.isPlaying = false;
        break;
      }
      channel[index] = block[this.offset];
      this.offset += 1;
      this.waiting -= 1;
      if (this.offset === block.length) {
        this.blocks.shift();
        this.offset = 0;
      }
    }
    return true;
  }
}

registerProcessor('talk-microphone', TalkMicrophone);
registerProcessor('talk-speaker', TalkSpeaker);
