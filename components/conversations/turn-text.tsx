'use client';

import { Fragment, type MouseEvent, useMemo } from 'react';
import { HighlightedText } from '#components/ui/highlighted-text.tsx';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';
import type { RecordingPlayer } from './recording-player.ts';
import { unheardPart } from './transcript-entries.ts';
import { textOffsetAt, turnWords, wordAtOffset, wordIndexAt } from './turn-words.ts';
import { usePlayerValue } from './use-player.ts';

type TurnTextInput = {
  turn: Turn;
  player: RecordingPlayer | null;
  isCurrent: boolean;
  /** Searched for, marked where they occur. */
  marked: readonly string[];
};

/**
 * What was said, and after it what was only meant. A click plays from the word under it. The word that is heard is marked; only
 * the turn that is heard is made of words, so that a transcript of hours stays light.
 *
 * No component: of thousands of turns each would be one more for React to wake up (docs/decisions/0287).
 */
export function turnText({ turn, player, isCurrent, marked }: TurnTextInput) {
  const unheard = unheardPart(turn);
  const playFrom = (event: MouseEvent) => {
    // Whoever marks words to copy them does not want to listen.
    if (!player || document.getSelection()?.isCollapsed === false) return;
    const offset = textOffsetAt(event.currentTarget, event.clientX, event.clientY);
    // What was meant and not heard lies behind it.
    const isHeard = offset !== undefined && offset <= turn.text.length;
    player.playFrom((isHeard ? wordAtOffset(turnWords(turn), offset)?.startMs : undefined) ?? turn.startedMs);
  };
  return (
    // Mouse users may click a word; the button before the turn plays it for the keyboard.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <p
      className={`text-base wrap-anywhere text-ink ${player ? 'cursor-pointer' : ''}`}
      onClick={player ? playFrom : undefined}
    >
      {isCurrent && player ? (
        <SpokenText turn={turn} player={player} marked={marked} />
      ) : (
        markedText(turn.text, marked)
      )}
      {unheard ? (
        <>
          {' '}
          <span className="sr-only">Meant, but not heard: </span>
          <span title="Meant, but not heard" className="text-ink-subtle line-through decoration-line-strong">
            {unheard}
          </span>
        </>
      ) : null}
    </p>
  );
}

/** The turn that is heard, word by word. */
function SpokenText({
  turn,
  player,
  marked,
}: Omit<TurnTextInput, 'isCurrent' | 'player'> & { player: RecordingPlayer }) {
  const words = useMemo(() => turnWords(turn), [turn]);
  const spokenIndex = usePlayerValue(player, ({ positionMs }) => wordIndexAt(words, positionMs));
  return words.map((word) => (
    <Fragment key={word.from}>
      {turn.text.slice(words[word.index - 1]?.to ?? 0, word.from)}
      <span
        data-spoken={word.index === spokenIndex || undefined}
        className="rounded-xs decoration-2 underline-offset-3 hover:underline data-spoken:bg-accent data-spoken:text-accent-contrast"
      >
        {markedText(turn.text.slice(word.from, word.to), marked)}
      </span>
    </Fragment>
  ));
}

/** No element more than there has to be. */
function markedText(text: string, marked: readonly string[]) {
  return marked.length > 0 ? <HighlightedText text={text} words={marked} matching="anywhere" /> : text;
}
