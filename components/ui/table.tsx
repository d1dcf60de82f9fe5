import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';

/** A table on a card that scrolls sideways when it must. `caption` names it for screen readers. */
export function Table({
  caption,
  className,
  children,
}: {
  caption: string;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section
      className={classNames('scroll-x rounded-lg border border-line bg-surface shadow-card', className)}
      // Reachable by keyboard, since it can scroll.
      aria-label={caption}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
    >
      <table className="w-full border-separate border-spacing-0 text-sm">
        <caption className="sr-only">{caption}</caption>
        {children}
      </table>
    </section>
  );
}

export function TableHead({ children }: { children: ReactNode }) {
  return (
    <thead className="text-left text-xs text-ink-subtle">
      <tr>{children}</tr>
    </thead>
  );
}

export function TableHeader({ className, ...rest }: ComponentProps<'th'>) {
  return (
    <th
      scope="col"
      className={classNames(
        'h-9 border-b border-line bg-sunken/60 px-3 font-medium whitespace-nowrap first:pl-4 last:pr-4',
        className,
      )}
      {...rest}
    />
  );
}

export function TableBody({ children }: { children: ReactNode }) {
  return <tbody className="[&>tr:last-child>:is(td,th)]:border-b-0">{children}</tbody>;
}

export function TableRow({ className, ...rest }: ComponentProps<'tr'>) {
  return (
    <tr
      className={classNames(
        'group transition-colors hover:bg-hover/60 has-[:focus-visible]:bg-hover/60',
        className,
      )}
      {...rest}
    />
  );
}

export function TableCell({ className, ...rest }: ComponentProps<'td'>) {
  return (
    <td
      className={classNames(
        'h-11 border-b border-line px-3 py-1.5 align-middle first:pl-4 last:pr-4',
        className,
      )}
      {...rest}
    />
  );
}
