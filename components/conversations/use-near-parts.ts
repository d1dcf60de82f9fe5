import { type RefObject, startTransition, useEffect, useState } from 'react';

/** Parts that the page begins with: more than a screen holds. */
const FIRST = 6;
/** How far from the view a part still counts as near, in screens of it. */
const MARGIN = 0.4;
/** Whoever scrolls past reads, and clicks nothing. */
const REST_MS = 90;

/** From the first to the one behind the last. */
export type NearParts = { from: number; to: number };

/**
 * Which parts of a long list, its children, are near the view: told when scrolling rests. Looked up where they stand, since an
 * observer of hundreds of elements takes its time in every frame.
 */
export function useNearParts(list: RefObject<HTMLElement | null>, partCount: number): NearParts {
  const [near, setNear] = useState<NearParts>({ from: 0, to: FIRST });
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = () => {
      const parts = list.current?.children;
      if (!parts) return;
      const next = nearOf(parts);
      startTransition(() =>
        setNear((before) => (before.from === next.from && before.to === next.to ? before : next)),
      );
    };
    const lookSoon = () => {
      clearTimeout(timer);
      timer = setTimeout(look, REST_MS);
    };
    lookSoon();
    const stop = new AbortController();
    // In the capturing phase: whatever it is that scrolls.
    document.addEventListener('scroll', lookSoon, { capture: true, passive: true, signal: stop.signal });
    window.addEventListener('resize', lookSoon, { signal: stop.signal });
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [list, partCount]);
  return near;
}

function nearOf(parts: HTMLCollection): NearParts {
  const margin = window.innerHeight * MARGIN;
  const firstBelow = (y: number) => {
    let [from, to] = [0, parts.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((parts[middle]?.getBoundingClientRect().bottom ?? 0) <= y) from = middle + 1;
      else to = middle;
    }
    return from;
  };
  return { from: firstBelow(-margin), to: firstBelow(window.innerHeight + margin) + 1 };
}
