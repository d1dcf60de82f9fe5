'use client';

import { useEffect, useRef, type KeyboardEvent } from 'react';
import { useTheme } from 'next-themes';
import WaveSurfer from 'wavesurfer.js';
import { useNonce } from '#components/ui/nonce.tsx';
import { type RecordingPlayer, SKIP_MS } from './recording-player.ts';
import { usePlayerValue } from './use-player.ts';
import { durationLabel, durationWords } from './wording.ts';

const LANE_HEIGHT = 36;

export type WaveformData = { durationMs: number; agent: number[]; human: number[] };
type WaveformProps = { data: WaveformData; player: RecordingPlayer };

/** Steps of the mark: it is drawn again when it stands in another one, every few seconds in a call of hours. */
const STEPS = 3_000;

/** Both speakers over time, the agent above the human. A slider for the keyboard and for screen readers. */
export function Waveform({ data, player }: WaveformProps) {
  const container = useRef<HTMLDivElement>(null);
  const { resolvedTheme } = useTheme();
  const nonce = useNonce();
  const seconds = usePlayerValue(player, (state) => Math.round(state.positionMs / 1000));
  useEffect(() => {
    if (!container.current) return undefined;
    const surfer = WaveSurfer.create({
      container: container.current,
      // It does not play: given the recording, it would lay out the page in every frame (docs/decisions/0287).
      media: new Audio(),
      peaks: [data.agent, data.human],
      duration: data.durationMs / 1000,
      splitChannels: [laneColours('agent'), laneColours('human')],
      height: LANE_HEIGHT,
      barWidth: 2,
      barGap: 1,
      barRadius: 2,
      barMinHeight: 1,
      normalize: true,
      maxPeak: Math.max(0.05, ...data.agent, ...data.human),
      cursorColor: colour('--ink'),
      cursorWidth: 1,
      dragToSeek: true,
      autoScroll: false,
      hideScrollbar: true,
      ...(nonce ? { cspNonce: nonce } : {}),
    });
    surfer.on('interaction', (positionS) => player.seek(positionS * 1_000));
    const follow = followPlayer(player, data.durationMs, (positionMs) => surfer.setTime(positionMs / 1_000));
    return () => {
      follow();
      surfer.destroy();
    };
    // The theme is only named: its colours are read from the page when it changes.
  }, [data, player, nonce, resolvedTheme]);
  return (
    <div
      ref={container}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a range input cannot hold the drawing
      role="slider"
      tabIndex={0}
      aria-label="Position in the recording"
      aria-valuemin={0}
      aria-valuemax={Math.round(data.durationMs / 1000)}
      aria-valuenow={seconds}
      aria-valuetext={`${durationWords(seconds)} of ${durationWords(data.durationMs / 1000)}`}
      onKeyDown={(event) => onSliderKey(event, player)}
      className="min-h-18 w-full cursor-pointer rounded-md"
    />
  );
}

/** Tells positions that would be drawn at another place, from the present one on. Gives what ends it. */
function followPlayer(player: RecordingPlayer, durationMs: number, show: (positionMs: number) => void) {
  let shown = -1;
  const look = () => {
    const { positionMs } = player.read();
    const step = Math.round((positionMs / durationMs) * STEPS);
    if (step === shown) return;
    shown = step;
    show(positionMs);
  };
  look();
  return player.subscribe(look);
}

function onSliderKey(event: KeyboardEvent, player: RecordingPlayer): void {
  const moves: Record<string, () => void> = {
    ArrowLeft: () => player.skip(-SKIP_MS),
    ArrowDown: () => player.skip(-SKIP_MS),
    ArrowRight: () => player.skip(SKIP_MS),
    ArrowUp: () => player.skip(SKIP_MS),
    PageDown: () => player.skip(-6 * SKIP_MS),
    PageUp: () => player.skip(6 * SKIP_MS),
    Home: () => player.seek(0),
    End: () => player.seek(player.durationMs),
    ' ': () => player.toggle(),
  };
  const move = moves[event.key];
  if (!move) return;
  event.preventDefault();
  move();
}

function laneColours(speaker: 'agent' | 'human') {
  return { waveColor: colour(`--${speaker}-rest`), progressColor: colour(`--${speaker}`) };
}

function colour(token: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(token).trim();
}

/** The position in figures, drawn again once a second. */
export function PlayerClock({ player }: { player: RecordingPlayer }) {
  const seconds = usePlayerValue(player, (state) => Math.floor(state.positionMs / 1000));
  return (
    <span className="figures text-sm text-ink-muted" aria-hidden="true">
      {durationLabel(seconds)}{' '}
      <span className="text-ink-subtle">/ {durationLabel(player.durationMs / 1000)}</span>
    </span>
  );
}
