/**
 * The framework's side of the bench: its sessions without a server or a room, each with an audio input and output of its own,
 * in this one process. What would cost it more is left out: a process per call, a network, recording, its model for
 * the end of turns, a second sampling rate.
 */
import { readFileSync } from 'node:fs';
import { ReadableStream } from 'node:stream/web';
import { inference, initializeLogger, llm, stt, tts, voice } from '@livekit/agents';
import { AudioFrame } from '@livekit/rtc-node';
import { monotonicClock } from '../../../lib/adapters/system/clock.ts';
import { createFrames } from '../../../lib/media/frames.ts';
import { createMediaOutput } from '../../../lib/media/media-output.ts';
import { createPacer } from '../../../lib/media/pacer.ts';
import { createFarEnd } from '../far-end.ts';
import { readOptions, runSide } from '../measured.ts';
import { ANSWER, OPENING, readSounds, SILENCE_ENDS_TURN_MS, SPEECH_INTERRUPTS_MS } from '../script.ts';

const RATE_HZ = 16_000;
const PIECE = 3_200;

initializeLogger({ pretty: false, level: process.env.FRAMEWORK_LOG ?? 'silent' });
const options = readOptions();
const sounds = readSounds(
  readFileSync(options.sounds),
  JSON.parse(readFileSync(`${options.sounds}.json`, 'utf8')),
);
const pacer = createPacer({ clock: monotonicClock, onFailed: console.error });
const farEnd = createFarEnd({ sounds, pacer, nowMs: monotonicClock.nowMs, isIdle: options.isIdle });

const frameOf = (samples) => new AudioFrame(samples, RATE_HZ, 1, samples.length);

class CallerInput extends voice.AudioInput {
  constructor(caller) {
    super();
    const nextFrame = createFrames();
    this.multiStream.addInputStream(
      new ReadableStream({
        start(controller) {
          caller.start((lent) => {
            const frame = nextFrame();
            frame.set(lent);
            controller.enqueue(frameOf(frame));
          });
        },
      }),
    );
  }
}

/** Plays what is captured at the pace of the line, as our own side does, and tells how much of it was heard. */
class CallerOutput extends voice.AudioOutput {
  constructor(caller) {
    super(RATE_HZ, undefined, { pause: false });
    this.media = createMediaOutput({ pacer, clock: monotonicClock, send: caller.hear });
    this.startedAt = 0;
    this.isOpen = false;
    this.capturedMs = 0;
  }

  async captureFrame(frame) {
    await super.captureFrame(frame);
    if (!this.isOpen) {
      this.isOpen = true;
      this.capturedMs = 0;
      this.fromMs = this.media.playedMs();
      this.onPlaybackStarted(Date.now());
    }
    this.capturedMs += frame.samplesPerChannel / 16;
    this.media.write(frame.data);
  }

  flush() {
    super.flush();
    if (!this.isOpen) return;
    const playedMs = this.capturedMs;
    void this.media.mark().then((wasPlayed) => {
      if (wasPlayed && this.isOpen) this.finish(playedMs, false);
    });
  }

  clearBuffer() {
    const playedMs = this.media.clear() - this.fromMs;
    if (this.isOpen) this.finish(Math.min(playedMs, this.capturedMs), true);
  }

  finish(playedMs, interrupted) {
    this.isOpen = false;
    this.onPlaybackFinished({ playbackPosition: playedMs / 1_000, interrupted });
  }
}

/** Knows the words as soon as the last frame of a sentence has come through the framework. */
class MockStt extends stt.STT {
  label = 'mock';
  constructor(caller) {
    super({ streaming: true, interimResults: false });
    this.caller = caller;
  }
  stream(given) {
    return new MockSttStream(this, given?.connOptions);
  }
}

class MockSttStream extends stt.SpeechStream {
  label = 'mock';
  constructor(owner, connOptions) {
    super(owner, undefined, connOptions);
    this.caller = owner.caller;
  }
  async run() {
    let told = this.caller.sentencesOver();
    for await (const _ of this.input) {
      if (this.caller.sentencesOver() === told) continue;
      told = this.caller.sentencesOver();
      this.queue.put({
        type: stt.SpeechEventType.FINAL_TRANSCRIPT,
        alternatives: [
          { text: this.caller.words(), language: 'en', startTime: 0, endTime: 0, confidence: 1 },
        ],
      });
    }
  }
}

class MockLlm extends llm.LLM {
  label() {
    return 'mock';
  }
  chat({ chatCtx, toolCtx, connOptions }) {
    return new MockLlmStream(this, { chatCtx, toolCtx, connOptions });
  }
}

class MockLlmStream extends llm.LLMStream {
  async run() {
    this.queue.put({ id: 'mock', delta: { role: 'assistant', content: ANSWER.join(' ') } });
  }
}

/** Has the sound of a text at once. */
class MockTts extends tts.TTS {
  label = 'mock';
  constructor() {
    super(RATE_HZ, 1, { streaming: true });
  }
  synthesize() {
    throw new Error('only streams are asked for');
  }
  stream() {
    return new MockTtsStream(this);
  }
}

class MockTtsStream extends tts.SynthesizeStream {
  label = 'mock';
  async run() {
    let text = '';
    for await (const piece of this.input) {
      if (piece !== tts.SynthesizeStream.FLUSH_SENTINEL) text += piece;
    }
    const said = sounds.agent.filter((saying) => text.includes(saying.text));
    for (const { samples } of said) {
      for (let at = 0; at < samples.length; at += PIECE) {
        const frame = frameOf(samples.slice(at, at + PIECE));
        this.queue.put({ requestId: 'mock', segmentId: 'mock', frame, final: false });
      }
    }
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM);
  }
}

class Mia extends voice.Agent {
  async onEnter() {
    void this.session.say(OPENING);
  }
}

await runSide(options, farEnd, async (index) => {
  const caller = farEnd.createCaller(index);
  const session = new voice.AgentSession({
    stt: new MockStt(caller),
    vad: new inference.VAD({ minSilenceDuration: 250 }),
    llm: new MockLlm(),
    tts: new MockTts(),
    aecWarmupDuration: null,
    userAwayTimeout: null,
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: SILENCE_ENDS_TURN_MS, maxDelay: SILENCE_ENDS_TURN_MS },
      interruption: { mode: 'vad', minDuration: SPEECH_INTERRUPTS_MS },
    },
  });
  session.input.audio = new CallerInput(caller);
  session.output.audio = new CallerOutput(caller);
  session.output.transcription = null;
  await session.start({ agent: new Mia({ instructions: 'You are Mia.' }), record: false });
});
