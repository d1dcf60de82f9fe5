/** What is playing, kept outside React: sixty positions a second must not draw the page sixty times. */
export type RecordingPlayer = ReturnType<typeof createRecordingPlayer>;

export type PlayerState = { isPlaying: boolean; positionMs: number; rate: number; failure: string | null };

/** One step back or forward: by button, by arrow key, on the waveform. */
export const SKIP_MS = 5_000;

export const PLAYBACK_RATES = [1, 1.25, 1.5, 2] as const;

/** Wraps one audio element. `onExpired` is told once when the signed link no longer works. */
export function createRecordingPlayer(options: { durationMs: number; onExpired: () => void }) {
  let audio: HTMLAudioElement | null = null;
  let frame = 0;
  let hasAskedForNewLink = false;
  let state: PlayerState = { isPlaying: false, positionMs: 0, rate: 1, failure: null };
  const listeners = new Set<() => void>();

  const set = (changes: Partial<PlayerState>) => {
    state = { ...state, ...changes };
    for (const listener of listeners) listener();
  };
  const follow = () => {
    if (!audio) return;
    set({ positionMs: audio.currentTime * 1000 });
    if (!audio.paused) frame = requestAnimationFrame(follow);
  };
  const onPlay = () => {
    hasAskedForNewLink = false;
    set({ isPlaying: true, failure: null });
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(follow);
  };
  const onPause = () => {
    cancelAnimationFrame(frame);
    set({ isPlaying: false, positionMs: (audio?.currentTime ?? 0) * 1000 });
  };
  const onMoved = () => set({ positionMs: (audio?.currentTime ?? 0) * 1000 });
  const onError = () => {
    if (hasAskedForNewLink) {
      set({ isPlaying: false, failure: 'The recording cannot be played. It may have been deleted.' });
      return;
    }
    hasAskedForNewLink = true;
    options.onExpired();
  };

  const seek = (positionMs: number) => {
    if (!audio) return;
    audio.currentTime = Math.min(Math.max(positionMs, 0), options.durationMs) / 1000;
    onMoved();
  };
  const play = () => {
    audio?.play().catch((error: unknown) => {
      // A pause right after the start, or a source that is being replaced, is no failure.
      if (
        error instanceof DOMException &&
        (error.name === 'AbortError' || error.name === 'NotSupportedError')
      )
        return;
      set({ failure: 'The browser refused to play the recording.' });
    });
  };

  return {
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    read: () => state,
    durationMs: options.durationMs,
    attach: (element: HTMLAudioElement) => {
      audio = element;
      const stop = new AbortController();
      const on = (type: string, listener: () => void) =>
        element.addEventListener(type, listener, { signal: stop.signal });
      on('play', onPlay);
      on('pause', onPause);
      on('ended', onPause);
      on('seeked', onMoved);
      on('error', onError);
      return () => {
        stop.abort();
        cancelAnimationFrame(frame);
        audio = null;
      };
    },
    seek,
    skip: (byMs: number) => seek(state.positionMs + byMs),
    play,
    playFrom: (positionMs: number) => {
      seek(positionMs);
      play();
    },
    toggle: () => (state.isPlaying ? audio?.pause() : play()),
    setRate: (rate: number) => {
      if (audio) audio.playbackRate = rate;
      set({ rate });
    },
  };
}
