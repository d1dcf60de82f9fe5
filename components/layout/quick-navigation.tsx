'use client';

import { type ComponentType, useEffect, useState } from 'react';
import { useToast } from '#components/ui/toast.tsx';
import type { QuickNavigationProps } from './quick-navigation-palette.tsx';

/** Not with the page: it would bring the schemas of all that can be found to every page (decision 0350). */
const loadPalette = () => import('./quick-navigation-palette.tsx');

/** Ctrl+K or ⌘K. The palette itself is brought when it is opened for the first time. */
export function QuickNavigation(props: QuickNavigationProps) {
  const { isOpen, onOpenChange } = props;
  const [Palette, setPalette] = useState<ComponentType<QuickNavigationProps>>();
  const toast = useToast();
  useShortcut(onOpenChange);
  useEffect(() => {
    if (!isOpen || Palette) return;
    loadPalette()
      .then((loaded) => setPalette(() => loaded.QuickNavigationPalette))
      .catch(() => {
        onOpenChange(false);
        toast({
          tone: 'danger',
          title: 'Could not open the search',
          description: 'Load the page again and try once more.',
        });
      });
  }, [isOpen, Palette, onOpenChange, toast]);
  return Palette ? <Palette {...props} /> : null;
}

function useShortcut(onOpenChange: (isOpen: boolean) => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      // Held down a moment before the K: what is typed after it shall not be waited for.
      if (event.key === 'Control' || event.key === 'Meta') loadPalette().catch(() => undefined);
      if (
        event.key.toLowerCase() !== 'k' ||
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey
      )
        return;
      event.preventDefault();
      onOpenChange(true);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [onOpenChange]);
}
