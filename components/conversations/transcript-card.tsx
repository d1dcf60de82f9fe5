'use client';

import { useState } from 'react';
import { Button } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import type { CallDetail } from '#lib/features/conversations/contract.ts';
import type { RecordingPlayer } from './recording-player.ts';
import { Transcript } from './transcript.tsx';
import { turnsWith } from './transcript-entries.ts';

type TranscriptCardProps = {
  call: CallDetail;
  player: RecordingPlayer | null;
  /** What the list was searched for: marked here, with a way from place to place. */
  words: readonly string[];
};

export function TranscriptCard({ call, player, words }: TranscriptCardProps) {
  const [shownSeq, setShownSeq] = useState<number | null>(null);
  const found = turnsWith(call.turns, words);
  if (call.turns.length === 0) {
    return (
      <Card title="Transcript">
        <p className="py-6 text-center text-sm text-ink-subtle">Nothing was said.</p>
      </Card>
    );
  }
  const shownAt = found.findIndex((seq) => seq === shownSeq);
  const showNext = () => setShownSeq(found[(shownAt + 1) % found.length] ?? null);
  return (
    <Card
      title="Transcript"
      {...(words.length > 0
        ? {
            actions: (
              <span className="flex items-center gap-2 text-sm text-ink-muted">
                <output>
                  {found.length === 0
                    ? 'The words searched for are not in it'
                    : shownAt < 0
                      ? `Found in ${found.length === 1 ? 'one turn' : `${found.length} turns`}`
                      : `${shownAt + 1} of ${found.length}`}
                </output>
                {found.length > 0 ? (
                  <Button size="sm" onClick={showNext}>
                    {shownAt < 0 ? 'Show the first' : 'Show the next'}
                  </Button>
                ) : null}
              </span>
            ),
          }
        : {})}
    >
      <Transcript call={call} player={player} words={words} shownSeq={shownSeq} />
    </Card>
  );
}
