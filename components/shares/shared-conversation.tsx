'use client';

import { useRef } from 'react';
import { Card } from '#components/ui/card.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { durationLabel, durationWords } from '#components/conversations/wording.ts';

type Turn = { seq: number; speaker: 'agent' | 'human'; text: string; startedMs: number };

export type SharedConversationProps = {
  channel: 'call' | 'chat';
  dateInitiated: string;
  durationSeconds: number;
  summary: string | null;
  turns: readonly Turn[];
  recordingUrl: string | null;
  expiresAt: string;
};

/** What a link shows: one conversation, and no way to anything else. */
export function SharedConversation(shared: SharedConversationProps) {
  const audio = useRef<HTMLAudioElement>(null);
  const playFrom = (startedMs: number) => {
    if (!audio.current) return;
    audio.current.currentTime = startedMs / 1_000;
    void audio.current.play();
  };
  return (
    <main id="main" className="mx-auto flex min-h-dvh w-full max-w-3xl flex-col gap-4 px-4 py-8 sm:py-12">
      <header>
        <h1 className="text-xl font-semibold text-ink">
          {shared.channel === 'chat' ? 'Shared chat' : 'Shared call'}
        </h1>
        <p className="text-sm text-ink-muted">
          <Moment iso={shared.dateInitiated} style="full" />
          {shared.channel === 'chat' ? null : `, ${durationWords(shared.durationSeconds)}`}
        </p>
      </header>
      <Card title="Summary">
        <p className="max-w-prose text-base text-pretty text-ink">
          {shared.summary ?? <span className="text-ink-subtle">No summary was written.</span>}
        </p>
      </Card>
      {shared.recordingUrl === null ? null : (
        <Card title="Recording">
          {/* The transcript below is the text alternative. */}
          {/* oxlint-disable-next-line jsx-a11y/media-has-caption */}
          <audio
            ref={audio}
            src={shared.recordingUrl}
            controls
            preload="metadata"
            aria-label="Recording"
            className="w-full scheme-light dark:scheme-dark"
          />
        </Card>
      )}
      <SharedTranscript turns={shared.turns} onPlay={shared.recordingUrl === null ? null : playFrom} />
      <footer className="mt-auto flex flex-wrap items-center gap-x-3 gap-y-1 pt-4 text-xs text-ink-subtle">
        <span>
          This link works until <Moment iso={shared.expiresAt} />.
        </span>
      </footer>
    </main>
  );
}

type Play = ((startedMs: number) => void) | null;

function SharedTranscript({ turns, onPlay }: { turns: readonly Turn[]; onPlay: Play }) {
  return (
    <Card title="Transcript">
      {turns.length === 0 ? (
        <p className="text-sm text-ink-subtle">Nothing was said.</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {turns.map((turn) => (
            <li key={turn.seq} className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-2">
              <TurnTime turn={turn} onPlay={onPlay} />
              <div className="min-w-0">
                <p
                  className={`text-xs font-semibold ${turn.speaker === 'agent' ? 'text-agent' : 'text-human'}`}
                >
                  {turn.speaker === 'agent' ? 'Agent' : 'Human'}
                </p>
                <p className="text-base wrap-anywhere text-ink">{turn.text}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Card>
  );
}

function TurnTime({ turn, onPlay }: { turn: Turn; onPlay: Play }) {
  const label = durationLabel(turn.startedMs / 1_000);
  if (onPlay === null) return <span className="figures pt-0.5 text-xs text-ink-subtle">{label}</span>;
  return (
    <button
      type="button"
      aria-label={`Play from ${label}`}
      onClick={() => onPlay(turn.startedMs)}
      className="figures h-6 justify-self-start rounded-sm px-1 text-xs text-ink-subtle hover:bg-hover hover:text-ink"
    >
      {label}
    </button>
  );
}

/** The same for a link that was mistyped, has expired, was revoked, or whose conversation is gone. */
export function NothingShared() {
  return (
    <main
      id="main"
      className="mx-auto flex min-h-dvh max-w-md flex-col items-center justify-center gap-2 px-4 text-center"
    >
      <h1 className="text-xl font-semibold text-ink">This link shows nothing</h1>
      <p className="text-sm text-pretty text-ink-muted">
        It has expired, was revoked, or is not complete. Ask whoever sent it for a new one.
      </p>
    </main>
  );
}
