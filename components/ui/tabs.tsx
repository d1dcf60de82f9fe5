'use client';

import type { ComponentProps } from 'react';
import { Tabs as Radix } from 'radix-ui';
import { classNames } from './class-names.ts';

export const Tabs = Radix.Root;

/** Scrolls sideways on a narrow screen instead of wrapping. */
export function TabsList({ className, ...rest }: ComponentProps<typeof Radix.List>) {
  return (
    <Radix.List className={classNames('scroll-tabs flex gap-5 border-b border-line', className)} {...rest} />
  );
}

const TAB =
  'focus-inset -mb-px inline-flex h-9 shrink-0 items-center gap-1.5 rounded-t-sm border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-ink-muted transition-colors hover:text-ink';

export function TabsTrigger({ className, ...rest }: ComponentProps<typeof Radix.Trigger>) {
  return (
    <Radix.Trigger
      className={classNames(TAB, 'data-[state=active]:border-accent data-[state=active]:text-ink', className)}
      {...rest}
    />
  );
}

export function TabsContent({ className, ...rest }: ComponentProps<typeof Radix.Content>) {
  return <Radix.Content className={classNames('pt-5', className)} {...rest} />;
}

/** The same look for links between pages: `aria-current="page"` marks the open one. */
export const TAB_LINK_CLASSES = `${TAB} aria-[current=page]:border-accent aria-[current=page]:text-ink`;
