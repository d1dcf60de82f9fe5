'use client';

import { useEffect, useMemo, useRef } from 'react';
import { Wrench } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { HighlightedText } from '#components/ui/highlighted-text.tsx';
import type { CallDetail, Turn } from '#lib/features/conversations/contract.ts';
import { AnswerTime } from './answer-time.tsx';
import type { RecordingPlayer } from './recording-player.ts';
import { transcriptEntries, turnAt, unheardPart } from './transcript-entries.ts';
import { usePlayerValue } from './use-player.ts';
import { durationLabel, tagLabel } from './wording.ts';

type TranscriptProps = {
  call: Pick<CallDetail, 'turns' | 'toolUses'>;
  /** null: nothing to listen to, or the call still runs. */
  player: RecordingPlayer | null;
  /** Announces new turns, while a call runs. */
  isLive?: boolean;
  /** Marked where they occur. */
  words?: readonly string[];
  /** The turn that is brought into view. */
  shownSeq?: number | null;
};

const NO_WORDS: readonly string[] = [];

export function Transcript({
  call,
  player,
  isLive = false,
  words = NO_WORDS,
  shownSeq = null,
}: TranscriptProps) {
  const entries = useMemo(() => transcriptEntries(call), [call]);
  const currentSeq = usePlayerValue(player, (state) =>
    state.positionMs > 0 ? turnAt(call.turns, state.positionMs) : null,
  );
  return (
    <ol
      aria-label="Transcript"
      className="flex flex-col gap-0.5"
      {...(isLive ? { 'aria-live': 'polite' as const } : {})}
    >
      {entries.map((entry) =>
        entry.kind === 'turn' ? (
          <TurnRow
            key={`turn-${entry.turn.seq}`}
            turn={entry.turn}
            player={player}
            isCurrent={entry.turn.seq === currentSeq}
            isShown={entry.turn.seq === shownSeq}
            words={words}
          />
        ) : (
          <ToolRow key={`tool-${entry.use.seq}`} use={entry.use} />
        ),
      )}
    </ol>
  );
}

const ROW = 'grid grid-cols-[3.25rem_minmax(0,1fr)] gap-x-2 rounded-md px-2 py-1.5 -mx-2';

type TurnRowProps = {
  turn: Turn;
  player: RecordingPlayer | null;
  isCurrent: boolean;
  isShown: boolean;
  words: readonly string[];
};

function TurnRow({ turn, player, isCurrent, isShown, words }: TurnRowProps) {
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent && player?.read().isPlaying) keepInView(row.current);
  }, [isCurrent, player]);
  useEffect(() => {
    if (isShown) keepInView(row.current, 'center');
  }, [isShown]);
  const unheard = unheardPart(turn);
  return (
    <li
      ref={row}
      aria-current={isCurrent || undefined}
      className={classNames(
        ROW,
        'scroll-mt-56 transition-colors',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-hover/60',
        isShown && 'ring-1 ring-warning-line',
      )}
    >
      <TurnTime turn={turn} player={player} />
      {/* Mouse users may click the words; the button before them does the same for the keyboard. */}
      {/* oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions */}
      <div
        className={classNames('min-w-0', player && 'cursor-pointer')}
        onClick={({ target }) => {
          if (target instanceof Element && target.closest('details')) return;
          // Whoever marks words to copy them does not want to listen.
          if (player && document.getSelection()?.isCollapsed !== false) player.playFrom(turn.startedMs);
        }}
      >
        <div className="flex items-baseline gap-2 text-xs font-semibold">
          <span className={turn.speaker === 'agent' ? 'text-agent' : 'text-human'}>
            {turn.speaker === 'agent' ? 'Agent' : 'Human'}
          </span>
          {turn.interrupted ? <Badge tone="warning">Interrupted</Badge> : null}
          {turn.timings ? <AnswerTime timings={turn.timings} /> : null}
        </div>
        <p className="text-base text-pretty break-words text-ink">
          <HighlightedText text={turn.text} words={words} matching="anywhere" />
          {unheard ? (
            <>
              {' '}
              <span className="sr-only">Meant, but not heard: </span>
              <span
                title="Meant, but not heard"
                className="text-ink-subtle line-through decoration-line-strong"
              >
                {unheard}
              </span>
            </>
          ) : null}
        </p>
      </div>
    </li>
  );
}

function TurnTime({ turn, player }: Pick<TurnRowProps, 'turn' | 'player'>) {
  const time = durationLabel(turn.startedMs / 1000);
  if (!player) return <span className="figures flex h-5 items-center text-xs text-ink-subtle">{time}</span>;
  return (
    <button
      type="button"
      onClick={() => player.playFrom(turn.startedMs)}
      aria-label={`Play from ${time}`}
      className="figures h-5 justify-self-start rounded-sm text-xs text-ink-subtle hover:text-accent-text hover:underline"
    >
      {time}
    </button>
  );
}

function ToolRow({ use }: { use: CallDetail['toolUses'][number] }) {
  return (
    <li className={ROW}>
      <span className="figures flex h-7 items-center text-xs text-ink-subtle">
        {durationLabel(use.startedMs / 1000)}
      </span>
      <details className="group/tool min-w-0 rounded-md border border-line bg-sunken/60">
        <summary className="focus-inset flex h-7 items-center gap-2 rounded-md px-2.5 text-sm text-ink-muted marker:content-none">
          <Wrench aria-hidden="true" className="size-3.5 shrink-0" />
          <span className="font-medium">{tagLabel(use.name)}</span>
          <span className="figures ml-auto text-xs text-ink-subtle">
            {Math.max(0, Math.round(use.endedMs - use.startedMs))} ms
          </span>
          <span
            aria-hidden="true"
            className="text-xs text-ink-subtle transition-transform group-open/tool:rotate-90"
          >
            ›
          </span>
        </summary>
        <div className="flex flex-col gap-2 border-t border-line px-2.5 py-2">
          <JsonPart title="Arguments" value={use.arguments} />
          <JsonPart title="Result" value={use.result} />
        </div>
      </details>
    </li>
  );
}

function JsonPart({ title, value }: { title: string; value: Record<string, unknown> }) {
  return (
    <div className="min-w-0">
      <p className="text-xs font-medium text-ink-subtle">{title}</p>
      <pre className="max-h-64 overflow-auto font-mono text-xs break-words whitespace-pre-wrap text-ink">
        {Object.keys(value).length === 0 ? 'none' : JSON.stringify(value, null, 2)}
      </pre>
    </div>
  );
}

function keepInView(row: HTMLElement | null, block: ScrollLogicalPosition = 'nearest'): void {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  row?.scrollIntoView({ block, behavior: isStill ? 'auto' : 'smooth' });
}
