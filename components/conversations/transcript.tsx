'use client';

import { type KeyboardEvent, useMemo, useState } from 'react';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { RecordingPlayer } from './recording-player.ts';
import { transcriptEntries, turnAt } from './transcript-entries.ts';
import { EventRow, ToolRow } from './transcript-rows.tsx';
import { TURN_BUTTON, TurnRow } from './turn-row.tsx';
import { usePlayerValue } from './use-player.ts';

type TranscriptProps = {
  call: Pick<CallDetail, 'turns' | 'toolUses' | 'events'>;
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

/**
 * What was said, with the tools and failures between. With a player: a click on a word plays it, the word that is heard is
 * marked, and the arrow keys move from turn to turn.
 */
export function Transcript({
  call,
  player,
  isLive = false,
  words = NO_WORDS,
  shownSeq = null,
}: TranscriptProps) {
  const entries = useMemo(() => transcriptEntries(call), [call]);
  const [focusedSeq, setFocusedSeq] = useState<number | null>(null);
  const currentSeq = usePlayerValue(player, (state) =>
    state.positionMs > 0 ? turnAt(call.turns, state.positionMs) : null,
  );
  const reachedSeq = focusedSeq ?? currentSeq ?? call.turns[0]?.seq ?? null;
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- moves between its buttons
    <ol
      aria-label="Transcript"
      className="flex flex-col gap-0.5"
      onKeyDown={onListKey}
      onFocus={({ target }) => setFocusedSeq(seqOf(target) ?? focusedSeq)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setFocusedSeq(null);
      }}
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
            isReached={entry.turn.seq === reachedSeq}
            words={words}
          />
        ) : entry.kind === 'tool' ? (
          <ToolRow key={`tool-${entry.use.seq}`} use={entry.use} />
        ) : (
          <EventRow key={`event-${entry.event.id}`} event={entry.event} />
        ),
      )}
    </ol>
  );
}

const seqOf = (element: Element) => {
  const seq = element.getAttribute(TURN_BUTTON);
  return seq === null ? null : Number(seq);
};

/** From the time of a turn to the one before and after it, and to the first and last. */
function onListKey(event: KeyboardEvent<HTMLOListElement>): void {
  if (!(event.target instanceof Element) || !event.target.hasAttribute(TURN_BUTTON)) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>(`[${TURN_BUTTON}]`)];
  const at = buttons.findIndex((button) => button === event.target);
  const places: Record<string, number> = {
    ArrowUp: Math.max(0, at - 1),
    ArrowDown: Math.min(buttons.length - 1, at + 1),
    Home: 0,
    End: buttons.length - 1,
  };
  const place = places[event.key];
  if (place === undefined) return;
  event.preventDefault();
  buttons[place]?.focus();
}
