'use client';

import type { ReactElement, ReactNode } from 'react';
import { Popover as RadixPopover, Tooltip as RadixTooltip } from 'radix-ui';
import { classNames } from './class-names.ts';

export const TooltipProvider = RadixTooltip.Provider;

/** Extra words for something that already has a name; never the only place of a fact. */
export function Tooltip({
  content,
  children,
  side = 'top',
}: {
  content: ReactNode;
  children: ReactElement;
  side?: 'top' | 'right' | 'bottom' | 'left';
}) {
  return (
    <RadixTooltip.Root>
      <RadixTooltip.Trigger asChild>{children}</RadixTooltip.Trigger>
      <RadixTooltip.Portal>
        <RadixTooltip.Content
          side={side}
          sideOffset={6}
          collisionPadding={8}
          className="z-50 max-w-xs animate-fade-in rounded-md bg-ink px-2 py-1 text-xs text-pretty text-canvas shadow-pop"
        >
          {content}
        </RadixTooltip.Content>
      </RadixTooltip.Portal>
    </RadixTooltip.Root>
  );
}

type PopoverProps = {
  trigger: ReactNode;
  /** What the panel is, for a screen reader. */
  label: string;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  isOpen?: boolean;
  onOpenChange?: (isOpen: boolean) => void;
  className?: string;
};

export function Popover({
  trigger,
  label,
  children,
  align = 'start',
  isOpen,
  onOpenChange,
  className,
}: PopoverProps) {
  return (
    <RadixPopover.Root
      {...(isOpen === undefined ? {} : { open: isOpen })}
      {...(onOpenChange ? { onOpenChange } : {})}
    >
      <RadixPopover.Trigger asChild>{trigger}</RadixPopover.Trigger>
      <RadixPopover.Portal>
        <RadixPopover.Content
          aria-label={label}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          className={classNames(
            'z-50 max-h-[var(--radix-popover-content-available-height)] w-72 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-lg bg-raised p-3 shadow-pop focus-visible:outline-none data-[state=open]:animate-pop-in',
            className,
          )}
        >
          {children}
        </RadixPopover.Content>
      </RadixPopover.Portal>
    </RadixPopover.Root>
  );
}
