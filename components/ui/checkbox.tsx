'use client';

import { Checkbox as RadixCheckbox, Switch as RadixSwitch } from 'radix-ui';
import { Check, Minus } from 'lucide-react';
import type { ComponentProps } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './field.tsx';

export function Checkbox({ className, id, ...rest }: ComponentProps<typeof RadixCheckbox.Root>) {
  const wiring = useFieldControl({ id });
  return (
    <RadixCheckbox.Root
      {...rest}
      {...wiring}
      className={classNames(
        'group flex size-4 shrink-0 items-center justify-center rounded-sm border border-line-strong bg-surface shadow-xs transition-colors hover:border-ink-subtle disabled:opacity-50 data-[state=checked]:border-accent data-[state=checked]:bg-accent data-[state=indeterminate]:border-accent data-[state=indeterminate]:bg-accent pointer-coarse:size-5',
        className,
      )}
    >
      <RadixCheckbox.Indicator className="text-accent-contrast">
        <Check
          aria-hidden="true"
          strokeWidth={3}
          className="size-3 group-data-[state=indeterminate]:hidden"
        />
        <Minus
          aria-hidden="true"
          strokeWidth={3}
          className="hidden size-3 group-data-[state=indeterminate]:block"
        />
      </RadixCheckbox.Indicator>
    </RadixCheckbox.Root>
  );
}

export function Switch({ className, id, ...rest }: ComponentProps<typeof RadixSwitch.Root>) {
  const wiring = useFieldControl({ id });
  return (
    <RadixSwitch.Root
      {...rest}
      {...wiring}
      className={classNames(
        'relative inline-flex h-5 w-9 shrink-0 items-center rounded-full border border-transparent bg-ink-subtle transition-colors disabled:opacity-50 data-[state=checked]:bg-accent',
        className,
      )}
    >
      <RadixSwitch.Thumb className="block size-4 translate-x-px rounded-full bg-white shadow-xs transition-transform duration-150 data-[state=checked]:translate-x-[1.0625rem]" />
    </RadixSwitch.Root>
  );
}
