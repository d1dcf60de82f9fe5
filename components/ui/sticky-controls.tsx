import type { ReactNode } from 'react';

/**
 * Controls that stay at hand above what grows below them, where both are in one column. To stand beside what they belong to
 * in a flex column: in a grid of one column they would end with their own row. app/globals.css keeps what gets the focus
 * from under it.
 */
export function StickyControls({ children }: { children: ReactNode }) {
  return (
    <div
      data-sticky-controls
      className="flex min-w-0 flex-col gap-4 max-lg:sticky max-lg:top-14 max-lg:z-20 max-lg:-mx-4 max-lg:-my-2 max-lg:max-h-[calc(100dvh-3.5rem)] max-lg:overflow-y-auto max-lg:bg-canvas max-lg:px-4 max-lg:py-2 max-lg:sm:-mx-6 max-lg:sm:px-6"
    >
      {children}
    </div>
  );
}
