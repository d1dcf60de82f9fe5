'use client';

import { type KeyboardEvent, memo, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { RecordingPlayer } from './recording-player.ts';
import { partsOf, type TranscriptPart, transcriptEntries, turnAt } from './transcript-entries.ts';
import { EventRow, ToolRow } from './transcript-rows.tsx';
import { TURN_BUTTON, TurnRow } from './turn-row.tsx';
import { useNearParts } from './use-near-parts.ts';
import { usePlayerValue } from './use-player.ts';

type TranscriptProps = {
  call: Pick<CallDetail, 'turns' | 'toolUses' | 'events'>;
  /** null: nothing to listen to, or the call still runs. */
  player: RecordingPlayer | null;
  /** While a call runs: it stands in something that announces what is new. */
  isLive?: boolean;
  /** Marked where they occur. */
  words?: readonly string[];
  /** The turn that is brought into view. */
  shownSeq?: number | null;
};

const NO_WORDS: readonly string[] = [];

/**
 * What was said, with the tools and failures between. With a player: a click on a word plays it, the word that is heard is
 * marked, and the arrow keys move from turn to turn.
 *
 * Every turn of a call of hours is in the page, so that the browser finds words in it and a screen reader reads on; turns far
 * from what is in view are only their text (docs/decisions/0225-a-transcript-of-hours.md).
 */
export function Transcript({
  call,
  player,
  isLive = false,
  words = NO_WORDS,
  shownSeq = null,
}: TranscriptProps) {
  const parts = useMemo(() => partsOf(transcriptEntries(call)), [call]);
  const list = useRef<HTMLDivElement>(null);
  const near = useNearParts(list, parts.length);
  const [focusedSeq, setFocusedSeq] = useState<number | null>(null);
  const currentSeq = usePlayerValue(player, (state) =>
    state.positionMs > 0 ? turnAt(call.turns, state.positionMs) : null,
  );
  const reachedSeq = focusedSeq ?? currentSeq ?? call.turns[0]?.seq ?? null;
  const onKeyDown = (event: KeyboardEvent) => {
    const seq = turnByKey(event, call.turns);
    if (seq === undefined) return;
    event.preventDefault();
    // Its button is there once it is the one that the keyboard has reached.
    flushSync(() => setFocusedSeq(seq));
    list.current?.querySelector<HTMLElement>(`[${TURN_BUTTON}="${seq}"]`)?.focus();
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves between its buttons
    <div
      ref={list}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- an <ol> holds nothing but its <li>, and these stand in parts
      role="list"
      aria-label="Transcript"
      onKeyDown={onKeyDown}
      onFocus={({ target }) => setFocusedSeq(seqOf(target) ?? focusedSeq)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocusedSeq(null);
      }}
    >
      {parts.map((part, index) => (
        <Part
          key={part.index}
          part={part}
          player={player}
          words={words}
          // What is drawn later would be announced as new.
          isNear={isLive || (index >= near.from && index < near.to)}
          currentSeq={within(part, currentSeq)}
          reachedSeq={within(part, reachedSeq)}
          shownSeq={within(part, shownSeq)}
        />
      ))}
    </div>
  );
}

/** Null where the turn is in another part: this one need not be drawn again for it. */
function within({ seqs }: TranscriptPart, seq: number | null): number | null {
  return seq !== null && seqs.has(seq) ? seq : null;
}

type PartProps = {
  part: TranscriptPart;
  player: RecordingPlayer | null;
  words: readonly string[];
  isNear: boolean;
  currentSeq: number | null;
  reachedSeq: number | null;
  shownSeq: number | null;
};

/** Some rows that are laid out and painted only while they are in view. */
const Part = memo(function Part(props: PartProps) {
  const { part, player, words, isNear, currentSeq, reachedSeq, shownSeq } = props;
  const isWhole = isNear || currentSeq !== null || reachedSeq !== null || shownSeq !== null;
  return (
    <div
      role="none"
      className="-mx-2.5 px-0.5 py-px [contain-intrinsic-size:auto_20rem] [content-visibility:auto]"
    >
      {part.entries.map((entry) =>
        entry.kind === 'turn' ? (
          <TurnRow
            key={`turn-${entry.turn.seq}`}
            turn={entry.turn}
            player={player}
            isWhole={isWhole}
            isCurrent={entry.turn.seq === currentSeq}
            isShown={entry.turn.seq === shownSeq}
            isReached={entry.turn.seq === reachedSeq}
            words={words}
          />
        ) : entry.kind === 'tool' ? (
          <ToolRow key={`tool-${entry.use.seq}`} use={entry.use} />
        ) : (
          <EventRow key={`event-${entry.event.id}`} event={entry.event} />
        ),
      )}
    </div>
  );
});

const seqOf = (element: Element) => {
  const seq = element.getAttribute(TURN_BUTTON);
  return seq === null ? null : Number(seq);
};

/** From the time of a turn to the one before and after it, and to the first and last; undefined for other keys. */
function turnByKey(event: KeyboardEvent, turns: CallDetail['turns']): number | undefined {
  const from = event.target instanceof Element ? seqOf(event.target) : null;
  if (from === null) return undefined;
  const at = turns.findIndex(({ seq }) => seq === from);
  const places: Record<string, number> = {
    ArrowUp: Math.max(0, at - 1),
    ArrowDown: Math.min(turns.length - 1, at + 1),
    Home: 0,
    End: turns.length - 1,
  };
  return turns[places[event.key] ?? -1]?.seq;
}
