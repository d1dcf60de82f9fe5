'use client';

import { useState } from 'react';

export type Chosen = {
  ids: readonly string[];
  isChosen: (id: string) => boolean;
  toggle: (id: string) => void;
  /** All of the page, or none of them. */
  toggleAll: () => void;
  clear: () => void;
};

/** The rows of a page that are chosen. What is no longer on it is chosen no more. */
export function useChosen(shownIds: readonly string[]): Chosen {
  const [wanted, setWanted] = useState<ReadonlySet<string>>(new Set());
  const ids = shownIds.filter((id) => wanted.has(id));
  return {
    ids,
    isChosen: (id) => wanted.has(id),
    toggle(id) {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setWanted(next);
    },
    toggleAll: () => setWanted(new Set(ids.length === shownIds.length ? [] : shownIds)),
    clear: () => setWanted(new Set()),
  };
}
