import { memo, Suspense } from 'react';
import type { RecordingPlayer } from './recording-player.ts';
import type { TranscriptPart, TranscriptSection as Section } from './transcript-entries.ts';
import { EventRow, ToolRow } from './transcript-rows.tsx';
import { TurnRow } from './turn-row.tsx';

type Marks = { currentSeq: number | null; reachedSeq: number | null; shownSeq: number | null };
type PartProps = Marks & {
  part: TranscriptPart;
  player: RecordingPlayer | null;
  words: readonly string[];
  isNear: boolean;
};
type SectionProps = Marks &
  Omit<PartProps, 'part' | 'isNear'> & {
    section: Section;
    /** Parts near the view, from the first to the one behind the last. */
    nearFrom: number;
    nearTo: number;
  };

/** Null where the turn is elsewhere: what does not have it need not be drawn again for it. */
export function within({ seqs }: { seqs: ReadonlySet<number> }, seq: number | null): number | null {
  return seq !== null && seqs.has(seq) ? seq : null;
}

/**
 * Parts that wake up together. In the page as the server drew it a boundary wakes after what stands around it, and at once
 * where somebody clicks: the page of a call of hours answers before all of its turns do.
 */
export const TranscriptSection = memo(function TranscriptSection(props: SectionProps) {
  const { section, nearFrom, nearTo, currentSeq, reachedSeq, shownSeq, ...common } = props;
  return (
    <Suspense>
      {section.parts.map((part) => (
        <Part
          key={part.index}
          {...common}
          part={part}
          isNear={part.index >= nearFrom && part.index < nearTo}
          currentSeq={within(part, currentSeq)}
          reachedSeq={within(part, reachedSeq)}
          shownSeq={within(part, shownSeq)}
        />
      ))}
    </Suspense>
  );
});

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
