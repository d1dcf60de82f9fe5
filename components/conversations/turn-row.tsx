'use client';

import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';
import { AnswerTime } from './answer-time.tsx';
import { type RecordingPlayer, SKIP_MS } from './recording-player.ts';
import { ROW } from './transcript-rows.tsx';
import { TurnText } from './turn-text.tsx';
import { durationLabel } from './wording.ts';

export type TurnRowProps = {
  turn: Turn;
  player: RecordingPlayer | null;
  /** It is heard now, or was the last to be. */
  isCurrent: boolean;
  /** A search leads to it. */
  isShown: boolean;
  /** The one turn of the transcript that the tab key reaches. */
  isReached: boolean;
  words: readonly string[];
};

/** One turn. Drawn again only when something about it changes: there may be thousands. */
export const TurnRow = memo(function TurnRow(props: TurnRowProps) {
  const { turn, player, isCurrent, isShown, isReached, words } = props;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isCurrent && player?.read().isPlaying) keepInView(row.current);
  }, [isCurrent, player]);
  useEffect(() => {
    if (isShown) keepInView(row.current, 'center');
  }, [isShown]);
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
      <TurnTime turn={turn} player={player} isReached={isReached} />
      <div className="min-w-0">
        <div className="flex items-baseline gap-2 text-xs font-semibold">
          <span className={turn.speaker === 'agent' ? 'text-agent' : 'text-human'}>
            {turn.speaker === 'agent' ? 'Agent' : 'Human'}
          </span>
          {turn.interrupted ? <Badge tone="warning">Interrupted</Badge> : null}
          {turn.timings ? (
            <AnswerTime timings={turn.timings} isReached={isReached || player === null} />
          ) : null}
        </div>
        <TurnText turn={turn} player={player} isCurrent={isCurrent} marked={words} />
      </div>
    </li>
  );
});

/** Marks the buttons between which the arrow keys move. */
export const TURN_BUTTON = 'data-turn-seq';

function TurnTime({ turn, player, isReached }: Pick<TurnRowProps, 'turn' | 'player' | 'isReached'>) {
  const time = durationLabel(turn.startedMs / 1000);
  if (!player) return <span className="figures flex h-5 items-center text-xs text-ink-subtle">{time}</span>;
  return (
    <button
      type="button"
      {...{ [TURN_BUTTON]: turn.seq }}
      tabIndex={isReached ? 0 : -1}
      onClick={() => player.playFrom(turn.startedMs)}
      onKeyDown={(event) => onTurnKey(event, player)}
      // A button is pressed when the space bar comes up again.
      onKeyUp={(event) => event.key === ' ' && event.preventDefault()}
      aria-label={`Play from ${time}, ${turn.speaker === 'agent' ? 'agent' : 'human'}`}
      className="figures h-5 justify-self-start rounded-sm text-xs text-ink-subtle hover:text-accent-text hover:underline"
    >
      {time}
    </button>
  );
}

/** Enter plays the turn, as it presses any button; the space bar and the arrows do what they do beside it. */
function onTurnKey(event: KeyboardEvent, player: RecordingPlayer): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === ' ') player.toggle();
  else if (event.key === 'ArrowLeft') player.skip(-SKIP_MS);
  else if (event.key === 'ArrowRight') player.skip(SKIP_MS);
  else return;
  event.preventDefault();
}

function keepInView(row: HTMLElement | null, block: ScrollLogicalPosition = 'nearest'): void {
  const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  row?.scrollIntoView({ block, behavior: isStill ? 'auto' : 'smooth' });
}
