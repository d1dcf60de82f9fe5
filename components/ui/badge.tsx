import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger';

const TONES: Record<Tone, string> = {
  neutral: 'border-line bg-sunken text-ink-muted',
  accent: 'border-accent-line bg-accent-soft text-accent-text',
  success: 'border-success-line bg-success-soft text-success-text',
  warning: 'border-warning-line bg-warning-soft text-warning-text',
  danger: 'border-danger-line bg-danger-soft text-danger-text',
};

/** A state or a tag in one or two words. The tone supports the words, it never replaces them. */
export function Badge({
  tone = 'neutral',
  icon,
  children,
  className,
}: {
  tone?: Tone;
  icon?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 max-w-full align-middle items-center gap-1 rounded-sm border px-1.5 text-xs font-medium whitespace-nowrap [&_svg]:size-3 [&_svg]:shrink-0',
        TONES[tone],
        className,
      )}
    >
      {icon}
      <span className="truncate">{children}</span>
    </span>
  );
}

const DOTS: Record<Tone, string> = {
  neutral: 'bg-ink-subtle',
  accent: 'bg-accent',
  success: 'bg-success-solid',
  warning: 'bg-warning-solid',
  danger: 'bg-danger-solid',
};

/** A coloured dot before words, for dense tables. `isLive` makes it pulse. */
export function StatusDot({
  tone = 'neutral',
  isLive = false,
  children,
}: {
  tone?: Tone;
  isLive?: boolean;
  children: ReactNode;
}) {
  return (
    <span className="inline-flex items-center gap-2 align-middle whitespace-nowrap">
      <span
        aria-hidden="true"
        className={classNames('size-1.5 shrink-0 rounded-full', DOTS[tone], isLive && 'animate-live')}
      />
      {children}
    </span>
  );
}
