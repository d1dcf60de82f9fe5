/** What is playing, kept outside React: sixty positions a second must not draw the page sixty times. */
export type RecordingPlayer = ReturnType<typeof createRecordingPlayer>;

export type PlayerState = { isPlaying: boolean; positionMs: number; rate: number; failure: string | null };

/** One step back or forward: by button, by arrow key, on the waveform. */
export const SKIP_MS = 5_000;

/**
 * How often the position is told while it plays. Of a recording of minutes the mark moves by less than a pixel in a frame,
 * and each telling is a layout of the page; words are a quarter of a second apart.
 */
const MOST_EVERY_MS = 60;
const everyMs = (durationMs: number) => Math.min(MOST_EVERY_MS, durationMs / 5_000);

export const PLAYBACK_RATES = [1, 1.25, 1.5, 2] as const;

/** Wraps one audio element. `onExpired` is told once when the signed link no longer works. */
export function createRecordingPlayer(options: { durationMs: number; onExpired: () => void }) {
  let audio: HTMLAudioElement | null = null;
  let hasAskedForNewLink = false;
  const store = createStore();

  const onMoved = () => store.set({ positionMs: positionOf(audio) });
  const frames = createFrameLoop(() => {
    if (!audio) return false;
    onMoved();
    return !audio.paused;
  }, everyMs(options.durationMs));
  const onPlay = () => {
    hasAskedForNewLink = false;
    store.set({ isPlaying: true, failure: null });
    frames.start();
  };
  const onPause = () => {
    frames.stop();
    store.set({ isPlaying: false, positionMs: positionOf(audio) });
  };
  const onError = () => {
    if (hasAskedForNewLink) {
      store.set({ isPlaying: false, failure: 'The recording cannot be played. It may have been deleted.' });
      return;
    }
    hasAskedForNewLink = true;
    options.onExpired();
  };

  return {
    subscribe: store.subscribe,
    read: store.read,
    durationMs: options.durationMs,
    attach: (element: HTMLAudioElement) => {
      audio = element;
      const stop = listen(element, {
        play: onPlay,
        pause: onPause,
        ended: onPause,
        seeked: onMoved,
        error: onError,
      });
      return () => {
        stop();
        frames.stop();
        audio = null;
      };
    },
    ...createControls({ audio: () => audio, store, durationMs: options.durationMs }),
  };
}

type ControlsInput = {
  /** The element that is attached now. */
  audio: () => HTMLAudioElement | null;
  store: ReturnType<typeof createStore>;
  durationMs: number;
};

/** What a listener can do with the recording; without an element nothing happens. */
function createControls({ audio, store, durationMs }: ControlsInput) {
  const seek = (positionMs: number) => {
    const element = audio();
    if (!element) return;
    element.currentTime = Math.min(Math.max(positionMs, 0), durationMs) / 1000;
    store.set({ positionMs: positionOf(element) });
  };
  const play = () => {
    audio()
      ?.play()
      .catch((error: unknown) => {
        if (!isInterruption(error)) store.set({ failure: 'The browser refused to play the recording.' });
      });
  };
  return {
    seek,
    skip: (byMs: number) => seek(store.read().positionMs + byMs),
    play,
    playFrom: (positionMs: number) => {
      seek(positionMs);
      play();
    },
    toggle: () => (store.read().isPlaying ? audio()?.pause() : play()),
    setRate: (rate: number) => {
      const element = audio();
      if (element) element.playbackRate = rate;
      store.set({ rate });
    },
  };
}

function positionOf(audio: HTMLAudioElement | null): number {
  return (audio?.currentTime ?? 0) * 1000;
}

function createStore() {
  let state: PlayerState = { isPlaying: false, positionMs: 0, rate: 1, failure: null };
  const listeners = new Set<() => void>();
  return {
    read: () => state,
    set: (changes: Partial<PlayerState>) => {
      state = { ...state, ...changes };
      for (const listener of listeners) listener();
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Takes a step in a frame every so often, until the step says that it was the last. */
function createFrameLoop(step: () => boolean, stepMs: number) {
  let frame = 0;
  let pause: ReturnType<typeof setTimeout> | undefined;
  const next = () => {
    frame = requestAnimationFrame(() => {
      if (!step()) return;
      // To ask for a frame is to have one drawn, with nothing new in it.
      if (stepMs > A_FRAME_MS) pause = setTimeout(next, stepMs - A_FRAME_MS);
      else next();
    });
  };
  const stop = () => {
    cancelAnimationFrame(frame);
    clearTimeout(pause);
  };
  const start = () => {
    stop();
    next();
  };
  return { start, stop };
}

const A_FRAME_MS = 16;

/** Returns what ends the listening. */
function listen(element: HTMLAudioElement, listeners: Record<string, () => void>): () => void {
  const stop = new AbortController();
  for (const [type, listener] of Object.entries(listeners))
    element.addEventListener(type, listener, { signal: stop.signal });
  return () => stop.abort();
}

/** A pause right after the start, or a source that is being replaced, is no failure. */
function isInterruption(error: unknown): boolean {
  return error instanceof DOMException && (error.name === 'AbortError' || error.name === 'NotSupportedError');
}
