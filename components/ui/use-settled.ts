'use client';

import { useEffect, useState } from 'react';

/** The text as it was when it last rested for `pauseMs`: what is asked of the service while somebody types. */
export function useSettled(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}
