'use client';

import { useEffect, useEffectEvent } from 'react';
import { useRouter } from 'next/navigation';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { buttonClasses, IconButton } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';

export type NeighbourPlace = {
  previousHref: string | null;
  nextHref: string | null;
  /** From 1; null: the call is not in the list that it was opened from. */
  position: number | null;
  totalCount: number;
  /** False: there are more than these. */
  isTotalExact: boolean;
};

type Direction = 'previous' | 'next';

/** The link that led here by keyboard: the page that it led to gives the focus back to its like. */
let followed: { direction: Direction; href: string } | null = null;

const WORDS = {
  previous: {
    label: 'Previous conversation',
    keys: 'Alt+ArrowUp',
    shown: 'Alt+↑',
    icon: <ChevronUp aria-hidden="true" />,
  },
  next: {
    label: 'Next conversation',
    keys: 'Alt+ArrowDown',
    shown: 'Alt+↓',
    icon: <ChevronDown aria-hidden="true" />,
  },
};

/** To the conversations before and after this one in the list, by link or by Alt with an arrow. */
export function Neighbours({ place }: { place: NeighbourPlace }) {
  const router = useRouter();
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey || isTyping(event.target)) return;
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    event.preventDefault();
    const href = event.key === 'ArrowUp' ? place.previousHref : place.nextHref;
    if (href !== null) router.push(href);
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
  return (
    <nav aria-label="Neighbouring conversations" className="flex items-center gap-1">
      {place.position === null ? null : (
        <span className="figures px-1 text-sm whitespace-nowrap text-ink-subtle">
          {place.position} of {place.isTotalExact ? '' : 'more than '}
          {place.totalCount}
        </span>
      )}
      <NeighbourLink direction="previous" href={place.previousHref} />
      <NeighbourLink direction="next" href={place.nextHref} />
    </nav>
  );
}

function NeighbourLink({ direction, href }: { direction: Direction; href: string | null }) {
  const { label, keys, shown, icon } = WORDS[direction];
  if (href === null) return <IconButton label={label} icon={icon} variant="secondary" disabled />;
  return (
    <Link
      href={href}
      aria-label={label}
      aria-keyshortcuts={keys}
      title={`${label} (${shown})`}
      className={buttonClasses({ className: 'px-2!' })}
      onClick={() => (followed = { direction, href })}
      ref={(link) => {
        // The page that is left may be drawn again while the other one is fetched.
        const { pathname, search } = window.location;
        if (!link || followed?.direction !== direction || followed.href !== pathname + search) return;
        followed = null;
        link.focus();
      }}
    >
      {icon}
    </Link>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, [role="combobox"]') !== null;
}
