'use client';

import { usePathname, useSearchParams } from 'next/navigation';
import { Suspense, useEffect, useState } from 'react';
import { WifiOff } from 'lucide-react';
import { holdNavigations } from './held-navigation.ts';

/** A bar as soon as a link is pressed, until its page is there; and a word where the service cannot be reached. */
export function NavigationState() {
  const [isAway, setIsAway] = useState(false);
  useEffect(() => {
    const fetchNow = window.fetch;
    window.fetch = holdNavigations(fetchNow.bind(window), {
      onAway: setIsAway,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    });
    return () => {
      window.fetch = fetchNow;
    };
  }, []);
  return (
    <>
      <Suspense fallback={null}>
        <NavigationBar />
      </Suspense>
      <div role="alert" className="fixed inset-x-0 bottom-4 z-50 flex justify-center px-4 empty:hidden">
        {isAway ? (
          <p className="flex items-center gap-2.5 rounded-lg border border-warning-line bg-raised px-4 py-2.5 text-sm text-ink shadow-pop">
            <WifiOff aria-hidden="true" className="size-4 shrink-0 text-warning-text" />
            The service cannot be reached. The page opens as soon as it can be again.
          </p>
        ) : null}
      </div>
    </>
  );
}

function NavigationBar() {
  const search = useSearchParams().toString();
  const here = usePathname() + (search === '' ? '' : `?${search}`);
  const [leftFrom, setLeftFrom] = useState<string | null>(null);
  useEffect(() => {
    const onClick = (event: MouseEvent) => setLeftFrom(leadsElsewhere(event) ? here : null);
    document.addEventListener('click', onClick);
    return () => document.removeEventListener('click', onClick);
  }, [here]);
  if (leftFrom !== here) return null;
  return (
    <output className="fixed inset-x-0 top-0 z-50 h-1 animate-live bg-accent">
      <span className="sr-only">Opening the page</span>
    </output>
  );
}

/** Whether a click opens another page of the dashboard in this tab. */
function leadsElsewhere(event: MouseEvent): boolean {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return false;
  const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
  if (!(link instanceof HTMLAnchorElement) || link.target !== '' || link.hasAttribute('download'))
    return false;
  const { origin, pathname, search } = window.location;
  return (
    link.origin === origin &&
    link.pathname.startsWith('/w/') &&
    link.pathname + link.search !== pathname + search
  );
}
