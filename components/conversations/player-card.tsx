'use client';

import { useEffect, useMemo, useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Download, Pause, Play, RotateCcw, RotateCw } from 'lucide-react';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, buttonClasses, IconButton } from '#components/ui/button.tsx';
import { Kbd } from '#components/ui/code-block.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { Tooltip } from '#components/ui/tooltip.tsx';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import { createRecordingPlayer, PLAYBACK_RATES, type RecordingPlayer, SKIP_MS } from './recording-player.ts';
import { usePlayerKeys, usePlayerValue } from './use-player.ts';
import { PlayerClock, Waveform } from './waveform.tsx';

/**
 * The player of one recording, or null without one. The link is taken once: every look at the call brings a newly
 * signed one, and a changed source would start the audio over.
 */
export function useRecording(callId: string, recordingUrl: string | null, durationSeconds: number) {
  const workspace = useWorkspace();
  const queryClient = useQueryClient();
  const [link, setLink] = useState(recordingUrl);
  const hasRecording = recordingUrl !== null;
  if (link === null && recordingUrl !== null) setLink(recordingUrl);
  const player = useMemo(() => {
    if (!hasRecording) return null;
    const renewLink = () => {
      const query = conversationQueries.detail(workspace.id, callId);
      void queryClient
        .fetchQuery({ ...query, staleTime: 0 })
        .then((call) => setLink(call.recordingUrl))
        .catch(() => undefined);
    };
    return createRecordingPlayer({ durationMs: durationSeconds * 1000, onExpired: renewLink });
  }, [hasRecording, workspace.id, callId, durationSeconds, queryClient]);
  return { player, link };
}

type PlayerCardProps = { callId: string; player: RecordingPlayer; link: string };

export function PlayerCard({ callId, player, link }: PlayerCardProps) {
  const workspace = useWorkspace();
  const [audio, setAudio] = useState<HTMLAudioElement | null>(null);
  const waveform = useQuery(conversationQueries.waveform(workspace.id, callId));
  const failure = usePlayerValue(player, (state) => state.failure);
  usePlayerKeys(player);
  useEffect(() => (audio ? player.attach(audio) : undefined), [audio, player]);
  useEffect(() => resumeAfterNewLink(audio, player), [audio, player, link]);
  return (
    <section
      aria-label="Recording"
      className="sticky top-14 z-20 rounded-lg border border-line bg-surface px-4 pt-3 pb-2.5 shadow-card sm:px-5 lg:top-4"
    >
      {/* Nothing is fetched before somebody plays it: the audit log names who fetched a recording. */}
      {/* The transcript below is the text alternative, in step with the audio. */}
      {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
      <audio ref={setAudio} src={link} preload="none" />
      <div className="grid grid-cols-[3.25rem_minmax(0,1fr)] items-stretch gap-2">
        <div aria-hidden="true" className="flex flex-col text-xs font-medium">
          <span className="flex flex-1 items-center text-agent">Agent</span>
          <span className="flex flex-1 items-center text-human">Human</span>
        </div>
        {waveform.data ? <Waveform data={waveform.data} player={player} /> : <Skeleton className="h-18" />}
      </div>
      <PlayerControls callId={callId} player={player} link={link} />
      {failure ? (
        <p role="alert" className="mt-1 text-sm text-danger-text">
          {failure}
        </p>
      ) : null}
      {waveform.isError ? (
        <p className="mt-1 text-sm text-ink-subtle">The waveform could not be loaded.</p>
      ) : null}
    </section>
  );
}

function PlayerControls({ callId, player, link }: PlayerCardProps) {
  return (
    <div className="mt-2 flex flex-wrap items-center gap-1.5">
      <PlayButton player={player} />
      <Tooltip content="Back 5 seconds">
        <IconButton
          label="Back 5 seconds"
          icon={<RotateCcw aria-hidden="true" />}
          onClick={() => player.skip(-SKIP_MS)}
        />
      </Tooltip>
      <Tooltip content="Forward 5 seconds">
        <IconButton
          label="Forward 5 seconds"
          icon={<RotateCw aria-hidden="true" />}
          onClick={() => player.skip(SKIP_MS)}
        />
      </Tooltip>
      <span className="ml-1.5">
        <PlayerClock player={player} />
      </span>
      <span
        aria-hidden="true"
        className="ml-3 hidden items-center gap-1 text-xs text-ink-subtle xl:flex pointer-coarse:hidden"
      >
        <Kbd>space</Kbd> play <Kbd>←</Kbd>
        <Kbd>→</Kbd> 5 s
      </span>
      <span className="ml-auto flex items-center gap-1">
        <RateButton player={player} />
        <a
          href={link}
          download={`${callId}.wav`}
          aria-label="Download recording"
          title="Download recording"
          className={buttonClasses({ variant: 'ghost' })}
        >
          <Download aria-hidden="true" />
        </a>
      </span>
    </div>
  );
}

/** A renewed link starts a new source at zero: goes back to where the listener was. */
function resumeAfterNewLink(
  audio: HTMLAudioElement | null,
  player: RecordingPlayer,
): (() => void) | undefined {
  const { positionMs, isPlaying, rate } = player.read();
  if (!audio || positionMs === 0) return undefined;
  const resume = () => {
    player.seek(positionMs);
    audio.playbackRate = rate;
    if (isPlaying) player.play();
  };
  audio.addEventListener('loadedmetadata', resume, { once: true });
  return () => audio.removeEventListener('loadedmetadata', resume);
}

function PlayButton({ player }: { player: RecordingPlayer }) {
  const isPlaying = usePlayerValue(player, (state) => state.isPlaying);
  return (
    <IconButton
      label={isPlaying ? 'Pause' : 'Play'}
      variant="primary"
      icon={
        isPlaying ? (
          <Pause aria-hidden="true" fill="currentColor" />
        ) : (
          <Play aria-hidden="true" fill="currentColor" />
        )
      }
      onClick={() => player.toggle()}
    />
  );
}

function RateButton({ player }: { player: RecordingPlayer }) {
  const rate = usePlayerValue(player, (state) => state.rate);
  const next =
    PLAYBACK_RATES[(PLAYBACK_RATES.findIndex((each) => each === rate) + 1) % PLAYBACK_RATES.length] ?? 1;
  return (
    <Button
      variant="ghost"
      aria-label={`Speed ${rate} times, change to ${next}`}
      onClick={() => player.setRate(next)}
      className="figures min-w-13"
    >
      {rate}×
    </Button>
  );
}
