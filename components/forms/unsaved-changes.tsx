'use client';

import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { ConfirmDialog } from '#components/ui/dialog.tsx';

type Departure = { kind: 'link'; href: string } | { kind: 'history'; key: string };

/**
 * Asks before unsaved or unfinished work is left: by a link, by the back button, or by closing the tab (where the browser asks
 * in its own words). Put it once into a form.
 */
export function UnsavedChanges({
  isDirty,
  title = 'Leave without saving?',
  description = 'Your changes on this page have not been saved and will be lost.',
}: {
  isDirty: boolean;
  title?: string;
  description?: string;
}) {
  const router = useRouter();
  const [departure, setDeparture] = useState<Departure | null>(null);

  useEffect(() => {
    if (!isDirty) return undefined;
    const onClose = (event: BeforeUnloadEvent) => event.preventDefault();
    const onClick = (event: MouseEvent) => {
      const href = leavingHref(event);
      if (href === undefined) return;
      event.preventDefault();
      event.stopPropagation();
      setDeparture({ kind: 'link', href });
    };
    const onNavigate = (event: NavigateEvent) => {
      if (event.navigationType !== 'traverse' || !event.cancelable) return;
      event.preventDefault();
      setDeparture({ kind: 'history', key: event.destination.key });
    };
    const history = 'navigation' in window ? window.navigation : undefined;
    window.addEventListener('beforeunload', onClose);
    document.addEventListener('click', onClick, { capture: true });
    // While the question is on screen its answer navigates, and must not be asked about again.
    if (!departure) history?.addEventListener('navigate', onNavigate);
    return () => {
      window.removeEventListener('beforeunload', onClose);
      document.removeEventListener('click', onClick, { capture: true });
      history?.removeEventListener('navigate', onNavigate);
    };
  }, [isDirty, departure]);

  const leave = () => {
    if (departure?.kind === 'link') router.push(departure.href);
    else if (departure) window.navigation.traverseTo(departure.key);
  };

  return (
    <ConfirmDialog
      title={title}
      description={description}
      confirmLabel="Leave"
      isOpen={departure !== null}
      onOpenChange={(isOpen) => (isOpen ? undefined : setDeparture(null))}
      onConfirm={leave}
    />
  );
}

/** The address a click leads to when it leaves this page in this tab. */
function leavingHref(event: MouseEvent): string | undefined {
  if (
    event.defaultPrevented ||
    event.button !== 0 ||
    event.metaKey ||
    event.ctrlKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return undefined;
  }
  const anchor = event.target instanceof Element ? event.target.closest('a') : null;
  if (!anchor?.href || anchor.target === '_blank' || anchor.hasAttribute('download')) return undefined;
  const url = new URL(anchor.href);
  if (url.origin !== window.location.origin || url.pathname === window.location.pathname) return undefined;
  return url.pathname + url.search + url.hash;
}
