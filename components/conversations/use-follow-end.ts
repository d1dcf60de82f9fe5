import { type RefObject, useEffect, useRef } from 'react';

/** How far below the view the end may be for somebody who still follows it. */
const NEAR_PX = 160;

/**
 * Keeps the end of what grows in view, for as long as the reader does not scroll away from it: somebody who reads above, or
 * writes below, stays where they are.
 */
export function useFollowEnd(end: RefObject<HTMLElement | null>, entryCount: number): void {
  const isFollowing = useRef(true);
  useEffect(() => {
    const look = () => {
      const bottom = end.current?.getBoundingClientRect().bottom ?? 0;
      isFollowing.current = bottom > 0 && bottom < window.innerHeight + NEAR_PX;
    };
    const stop = new AbortController();
    window.addEventListener('scroll', look, { passive: true, signal: stop.signal });
    return () => stop.abort();
  }, [end]);
  useEffect(() => {
    if (entryCount > 0 && isFollowing.current) end.current?.scrollIntoView({ block: 'nearest' });
  }, [end, entryCount]);
}
