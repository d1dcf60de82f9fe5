'use client';

import { type ComponentProps, useState } from 'react';
import NextLink from 'next/link';

/**
 * A link that asks the server for its page when somebody reaches for it. Next's own asks for each that comes into view:
 * 16 to 38 requests for each page that is opened, half of the service's work (docs/decisions/0348).
 */
export function Link({ onMouseEnter, onFocus, onTouchStart, ...props }: ComponentProps<typeof NextLink>) {
  const [isReachedFor, setIsReachedFor] = useState(false);
  const reach = () => setIsReachedFor(true);
  return (
    <NextLink
      {...props}
      // null: as much of the page as shows before its data are there.
      prefetch={isReachedFor ? null : false}
      onMouseEnter={(event) => {
        reach();
        onMouseEnter?.(event);
      }}
      onFocus={(event) => {
        reach();
        onFocus?.(event);
      }}
      onTouchStart={(event) => {
        reach();
        onTouchStart?.(event);
      }}
    />
  );
}
