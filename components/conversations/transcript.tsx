'use client';

import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { RecordingPlayer } from './recording-player.ts';
import {
  partsOf,
  type TranscriptSection as Section,
  sectionsOf,
  transcriptEntries,
  turnAt,
} from './transcript-entries.ts';
import { TranscriptSection, within } from './transcript-section.tsx';
import { TURN_BUTTON } from './turn-row.tsx';
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
  const sections = useMemo(() => sectionsOf(parts), [parts]);
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
      {sections.map((section) => (
        <TranscriptSection
          key={section.from}
          section={section}
          player={player}
          words={words}
          // What is drawn later would be announced as new.
          nearFrom={isLive ? 0 : clamp(near.from, section)}
          nearTo={isLive ? Number.POSITIVE_INFINITY : clamp(near.to, section)}
          currentSeq={within(section, currentSeq)}
          reachedSeq={within(section, reachedSeq)}
          shownSeq={within(section, shownSeq)}
        />
      ))}
    </div>
  );
}

/** The same for every place outside of a section, so that it is not drawn again for it. */
const clamp = (index: number, { from, to }: Section) => Math.min(Math.max(index, from), to);

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
