'use client';

import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { useFieldControl } from './field.tsx';

export const CONTROL_CLASSES =
  'w-full min-w-0 rounded-md border border-line-strong bg-surface text-sm text-ink shadow-xs transition-colors hover:border-ink-subtle focus-visible:border-ring focus-visible:outline-1 focus-visible:outline-offset-0 disabled:bg-sunken disabled:text-ink-subtle aria-invalid:border-danger-solid';

type InputProps = ComponentProps<'input'> & {
  /** A decorative icon inside, at the left. */
  icon?: ReactNode;
};

export function Input({ icon, className, id, ...rest }: InputProps) {
  const wiring = useFieldControl({ ...pickAria(rest), id });
  // 16 px on touch screens, here and in the text area: phones zoom into anything smaller.
  const input = (
    <input
      {...rest}
      {...wiring}
      className={classNames(
        CONTROL_CLASSES,
        'h-8 read-only:bg-sunken pointer-coarse:h-10 pointer-coarse:text-lg',
        icon ? 'pr-2.5 pl-8' : 'px-2.5',
        !icon && className,
      )}
    />
  );
  if (!icon) return input;
  return (
    <span className={classNames('relative block', className)}>
      <span
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 left-2.5 flex items-center text-ink-subtle [&_svg]:size-4"
      >
        {icon}
      </span>
      {input}
    </span>
  );
}

export function Textarea({ className, id, ...rest }: ComponentProps<'textarea'>) {
  const wiring = useFieldControl({ ...pickAria(rest), id });
  return (
    <textarea
      rows={4}
      {...rest}
      {...wiring}
      className={classNames(
        CONTROL_CLASSES,
        'px-2.5 py-1.5 leading-5 read-only:bg-sunken pointer-coarse:text-lg',
        className,
      )}
    />
  );
}

function pickAria(props: ComponentProps<'input'> | ComponentProps<'textarea'>) {
  return {
    'aria-describedby': props['aria-describedby'],
    'aria-invalid': props['aria-invalid'],
    'aria-required': props['aria-required'],
  };
}
