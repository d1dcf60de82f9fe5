'use client';

import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { type PlayerState, type RecordingPlayer, SKIP_MS } from './recording-player.ts';

const RESTING: PlayerState = { isPlaying: false, positionMs: 0, rate: 1, failure: null };

/** One value of the player; the component is drawn again only when that value changes. */
export function usePlayerValue<Value extends string | number | boolean | null>(
  player: RecordingPlayer | null,
  select: (state: PlayerState) => Value,
): Value {
  return useSyncExternalStore(
    player ? player.subscribe : subscribeNever,
    () => select(player ? player.read() : RESTING),
    () => select(RESTING),
  );
}

const subscribeNever = () => () => undefined;

/** Space plays and pauses, the arrows skip, wherever on the page the focus does not need those keys itself. */
export function usePlayerKeys(player: RecordingPlayer | null): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!player || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (needsItsKeys(event.target)) return;
    if (event.key === ' ') player.toggle();
    else if (event.key === 'ArrowLeft') player.skip(-SKIP_MS);
    else if (event.key === 'ArrowRight') player.skip(SKIP_MS);
    else return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const KEY_USERS =
  'input, textarea, select, button, a, summary, [contenteditable], [role="slider"], [role="tab"], [role="menu"], [role="dialog"], [role="alertdialog"], [role="listbox"]';

function needsItsKeys(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(KEY_USERS) !== null;
}
