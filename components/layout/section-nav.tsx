'use client';

import { usePathname } from 'next/navigation';
import { useEffect, useRef } from 'react';
import { Link } from '#components/ui/link.tsx';
import { TAB_LINK_CLASSES } from '#components/ui/tabs.tsx';

type SectionNavProps = {
  label: string;
  /** Path that the sections stand below; the section with the path '' is the page itself. */
  base: string;
  sections: readonly { path: string; label: string }[];
};

/** Links between the parts of one thing, with the look of tabs. The open one is brought into view. */
export function SectionNav({ label, base, sections }: SectionNavProps) {
  const pathname = usePathname();
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const current = bar.current?.querySelector<HTMLElement>('[aria-current]');
    // Only the bar moves: scrollIntoView would move the page as well.
    if (bar.current && current)
      bar.current.scrollLeft = current.offsetLeft - (bar.current.clientWidth - current.offsetWidth) / 2;
  }, [pathname]);
  return (
    <nav
      ref={bar}
      aria-label={label}
      className="scroll-tabs relative -mx-4 flex gap-5 border-b border-line px-4 sm:mx-0 sm:px-0"
    >
      {sections.map((section) => {
        const href = `${base}${section.path}`;
        const isCurrent = pathname === href || (section.path !== '' && pathname.startsWith(`${href}/`));
        return (
          <Link
            key={section.path}
            href={href}
            aria-current={isCurrent ? 'page' : undefined}
            className={TAB_LINK_CLASSES}
          >
            {section.label}
          </Link>
        );
      })}
    </nav>
  );
}
