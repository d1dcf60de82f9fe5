'use client';

import type { ComponentProps, ReactNode } from 'react';
import { DropdownMenu as Radix } from 'radix-ui';
import { Check } from 'lucide-react';
import { classNames } from './class-names.ts';

const ITEM =
  'flex min-h-8 w-full cursor-pointer items-center gap-2 rounded-md px-2 py-1 text-sm text-ink outline-none select-none data-[disabled]:opacity-50 data-[highlighted]:bg-hover pointer-coarse:min-h-10 [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-ink-subtle';

type DropdownMenuProps = {
  trigger: ReactNode;
  children: ReactNode;
  align?: 'start' | 'center' | 'end';
  side?: 'top' | 'bottom' | 'right' | 'left';
  className?: string;
};

export function DropdownMenu({
  trigger,
  children,
  align = 'end',
  side = 'bottom',
  className,
}: DropdownMenuProps) {
  return (
    // Not modal: a modal menu hides the page from screen readers while its links can still have the focus.
    <Radix.Root modal={false}>
      <Radix.Trigger asChild>{trigger}</Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className={classNames(
            'z-50 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-44 overflow-y-auto rounded-lg bg-raised p-1 shadow-pop data-[state=open]:animate-pop-in',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

export function MenuItem({
  tone,
  className,
  ...rest
}: ComponentProps<typeof Radix.Item> & { tone?: 'danger' }) {
  return (
    <Radix.Item
      className={classNames(
        ITEM,
        tone === 'danger' && 'text-danger-text [&_svg]:text-danger-text',
        className,
      )}
      {...rest}
    />
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <Radix.Label className="px-2 pt-1.5 pb-1 text-xs font-medium text-ink-subtle">{children}</Radix.Label>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line" />;
}

type MenuRadioGroupProps = {
  value: string;
  onValueChange: (value: string) => void;
  options: { value: string; label: ReactNode; icon?: ReactNode }[];
};

export function MenuRadioGroup({ value, onValueChange, options }: MenuRadioGroupProps) {
  return (
    <Radix.RadioGroup value={value} onValueChange={onValueChange}>
      {options.map((option) => (
        <Radix.RadioItem key={option.value} value={option.value} className={ITEM}>
          {option.icon}
          <span className="min-w-0 flex-1 truncate">{option.label}</span>
          <span className="flex size-4 items-center">
            <Radix.ItemIndicator>
              <Check aria-hidden="true" className="text-accent-text!" />
            </Radix.ItemIndicator>
          </span>
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}
