'use client';

import { Progress as Radix } from 'radix-ui';
import { classNames } from './class-names.ts';

type ProgressProps = {
  label: string;
  value: number;
  max?: number;
  tone?: 'accent' | 'warning' | 'danger';
  className?: string;
};

const TONES = { accent: 'fill-accent', warning: 'fill-warning-solid', danger: 'fill-danger-solid' };

export function Progress({ label, value, max = 100, tone = 'accent', className }: ProgressProps) {
  const shown = Math.min(Math.max(value, 0), max);
  return (
    <Radix.Root
      aria-label={label}
      value={shown}
      max={max}
      className={classNames('h-1.5 w-full overflow-hidden rounded-full bg-line-strong', className)}
    >
      <Radix.Indicator asChild>
        {/* An SVG and not a width in a style attribute: the page's policy refuses those in delivered HTML. */}
        <svg
          width="100%"
          height="100%"
          preserveAspectRatio="none"
          viewBox={`0 0 ${max} 1`}
          aria-hidden="true"
          className="block"
        >
          <rect width={shown} height="1" className={TONES[tone]} />
        </svg>
      </Radix.Indicator>
    </Radix.Root>
  );
}
