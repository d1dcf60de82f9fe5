'use client';

import { type KeyboardEvent, memo, useEffect, useRef } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';
import { AnswerTime, answerTime } from './answer-time.tsx';
import { type RecordingPlayer, SKIP_MS } from './recording-player.ts';
import { turnAnchor } from './result-wording.ts';
import { ROW, ROW_TIME } from './transcript-rows.tsx';
import { turnText } from './turn-text.tsx';
import { durationLabel } from './wording.ts';

export type TurnRowProps = {
  turn: Turn;
  player: RecordingPlayer | null;
  /** With everything that can be done with it; otherwise it is its text, which looks the same. */
  isWhole: boolean;
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
  const { turn, player, isWhole, isCurrent, isShown, isReached, words } = props;
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as the list around it
      role="listitem"
      id={turnAnchor(turn.seq)}
      aria-current={isCurrent || undefined}
      className={classNames(
        ROW,
        'scroll-mt-56 target:ring-1 target:ring-accent-line',
        isCurrent ? 'bg-accent-soft' : 'hover:bg-hover/60',
        isShown && 'ring-1 ring-warning-line',
      )}
    >
      {isWhole ? <TurnTime turn={turn} player={player} isReached={isReached} /> : null}
      <div {...headOf(turn, isWhole)}>
        {turn.speaker === 'agent' ? 'Agent' : 'Human'}
        {turn.interrupted ? (
          <Badge tone="warning" className={isWhole ? '' : 'ml-2'}>
            Interrupted
          </Badge>
        ) : null}
        {turn.timings && isWhole ? (
          <AnswerTime timings={turn.timings} isReached={isReached || player === null} />
        ) : null}
      </div>
      {turnText({ turn, player, isCurrent, marked: words })}
      {isCurrent && player ? <InView player={player} block="nearest" /> : null}
      {isShown ? <InView player={null} block="center" /> : null}
    </div>
  );
});

type InViewProps = { player: RecordingPlayer | null; block: ScrollLogicalPosition };

/**
 * Brings the row that it stands in into view, where its recording plays or it has none. In that row alone: an effect of each
 * of thousands is work before the page answers.
 */
function InView({ player, block }: InViewProps) {
  const mark = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    if (!player || player.read().isPlaying) keepInView(mark.current?.parentElement ?? null, block);
  }, [player, block]);
  return <span ref={mark} hidden />;
}

/** Far from the view the time of a turn, and of its answer, are drawn without elements of their own. */
function headOf({ speaker, startedMs, timings }: Turn, isWhole: boolean) {
  const head = `min-h-4.5 text-xs font-semibold ${speaker === 'agent' ? 'text-agent' : 'text-human'}`;
  if (isWhole) return { className: `flex items-baseline gap-2 ${head}` };
  return {
    className: `far-turn ${head}`,
    'data-time': durationLabel(startedMs / 1000),
    ...(timings ? { 'data-answer': answerTime(timings) } : {}),
  };
}

/** Marks the buttons between which the arrow keys move. */
export const TURN_BUTTON = 'data-turn-seq';

function TurnTime({ turn, player, isReached }: Pick<TurnRowProps, 'turn' | 'player' | 'isReached'>) {
  const time = durationLabel(turn.startedMs / 1000);
  if (!player) return <span className={ROW_TIME}>{time}</span>;
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
      className={`${ROW_TIME} rounded-sm hover:text-accent-text hover:underline`}
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

function keepInView(row: HTMLElement | null, block: ScrollLogicalPosition): void {
  if (!row) return;
  const { top, bottom } = row.getBoundingClientRect();
  // A way over hours of turns would lay out every one of them.
  const isFar = bottom < -window.innerHeight || top > 2 * window.innerHeight;
  const isStill = isFar || window.matchMedia('(prefers-reduced-motion: reduce)').matches;
  row.scrollIntoView({ block, behavior: isStill ? 'auto' : 'smooth' });
}
