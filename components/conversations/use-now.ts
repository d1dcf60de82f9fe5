'use client';

import { useEffect, useState } from 'react';

/** The reader's clock, ticking every second while `isRunning`; null until the browser has taken over. */
export function useNow(isRunning: boolean): number | null {
  const [nowMs, setNowMs] = useState<number | null>(null);
  useEffect(() => {
    if (!isRunning) return undefined;
    const tick = () => setNowMs(Date.now());
    tick();
    const timer = setInterval(tick, 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  return nowMs;
}
