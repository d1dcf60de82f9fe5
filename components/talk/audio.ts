import { createLevel } from './level.ts';

/** Why a talk cannot use the microphone, in words for the person who wants to talk. */
export type MicrophoneProblem = 'refused' | 'missing' | 'busy' | 'insecure' | 'unsupported';

export class MicrophoneError extends Error {
  readonly problem: MicrophoneProblem;

  constructor(problem: MicrophoneProblem) {
    super(`The microphone cannot be used: ${problem}`);
    this.name = 'MicrophoneError';
    this.problem = problem;
  }
}

/** Microphone and loudspeaker of this browser. Frames are 20 ms, mono, signed 16 bit, 16 kHz. */
export type TalkAudio = {
  /** Adds a frame to what is being played. */
  play(frame: Int16Array): void;
  /** Falls silent at once: what was not played yet is dropped. */
  clear(): void;
  setMuted(isMuted: boolean): void;
  /** Loudness now, 0 to 1, of the person and of the agent. */
  levels(): { microphone: number; speaker: number };
  close(): void;
};

const WORKLET = '/audio/talk-worklet.js';

/**
 * Opens the loudspeaker and, unless `isListening` is false, the microphone; to be called from a click, as browsers allow
 * sound only then. Throws `MicrophoneError`.
 */
export async function openTalkAudio(options: {
  isListening: boolean;
  onFrame(frame: Int16Array): void;
}): Promise<TalkAudio> {
  const stream = options.isListening ? await openMicrophone() : undefined;
  const context = new AudioContext({ latencyHint: 'interactive' });
  const close = () => {
    for (const track of stream?.getTracks() ?? []) track.stop();
    void context.close();
  };
  try {
    await context.audioWorklet.addModule(WORKLET);
    await context.resume();
    const heard = stream ? connectMicrophone(context, stream, options.onFrame) : undefined;
    const speaker = new AudioWorkletNode(context, 'talk-speaker', {
      numberOfInputs: 0,
      outputChannelCount: [1],
    });
    speaker.connect(context.destination);
    const microphoneLevel = heard ? createLevel(heard) : () => 0;
    const speakerLevel = createLevel(speaker);
    return {
      play: (frame) => speaker.port.postMessage(frame, [frame.buffer]),
      clear: () => speaker.port.postMessage('clear'),
      setMuted(isMuted) {
        for (const track of stream?.getAudioTracks() ?? []) track.enabled = !isMuted;
      },
      levels: () => ({ microphone: microphoneLevel(), speaker: speakerLevel() }),
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

function connectMicrophone(
  context: AudioContext,
  stream: MediaStream,
  onFrame: (frame: Int16Array) => void,
): AudioNode {
  const source = context.createMediaStreamSource(stream);
  const microphone = new AudioWorkletNode(context, 'talk-microphone', {
    numberOfOutputs: 0,
    channelCount: 1,
    channelCountMode: 'explicit',
  });
  microphone.port.onmessage = ({ data }: MessageEvent<Int16Array>) => onFrame(data);
  source.connect(microphone);
  return source;
}

async function openMicrophone(): Promise<MediaStream> {
  if (!window.isSecureContext) throw new MicrophoneError('insecure');
  if (!navigator.mediaDevices?.getUserMedia) throw new MicrophoneError('unsupported');
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true, channelCount: 1 },
    });
  } catch (error) {
    throw new MicrophoneError(problemOf(error));
  }
}

/** The names are those of the Media Capture specification. */
function problemOf(error: unknown): MicrophoneProblem {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused';
  if (name === 'NotFoundError' || name === 'OverconstrainedError') return 'missing';
  return name === 'NotReadableError' ? 'busy' : 'unsupported';
}
