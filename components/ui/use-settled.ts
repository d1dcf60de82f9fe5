'use client';

import { useEffect, useState } from 'react';

/** A text or a number as it was when it last rested for `pauseMs`: what is asked of the service while somebody types. */
export function useSettled<Value extends string | number | null | undefined>(
  value: Value,
  pauseMs: number,
): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return settled;
}
