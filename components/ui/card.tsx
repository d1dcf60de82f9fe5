import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

type CardProps = {
  title?: ReactNode;
  description?: ReactNode;
  /** Buttons at the right of the title. */
  actions?: ReactNode;
  /** A strip at the foot: what a save button stands on. */
  footer?: ReactNode;
  /** Leaves out the padding, for a table or list that reaches the edges. */
  isFlush?: boolean;
  headingLevel?: 2 | 3;
  id?: string;
  className?: string;
  children?: ReactNode;
};

export function Card({
  title,
  description,
  actions,
  footer,
  isFlush = false,
  headingLevel = 2,
  id,
  className,
  children,
}: CardProps) {
  const Heading = headingLevel === 2 ? 'h2' : 'h3';
  return (
    <section
      id={id}
      className={classNames(
        'min-w-0 overflow-hidden rounded-lg border border-line bg-surface shadow-card',
        className,
      )}
    >
      {title ? (
        <div
          className={classNames(
            'flex flex-wrap items-start justify-between gap-x-4 gap-y-2 px-4 pt-3.5 sm:px-5',
            isFlush ? 'pb-3.5' : 'pb-0',
          )}
        >
          <div className="min-w-0">
            <Heading className="text-base font-semibold text-ink">{title}</Heading>
            {description ? <p className="text-sm text-pretty text-ink-subtle">{description}</p> : null}
          </div>
          {actions ? <div className="flex items-center gap-2">{actions}</div> : null}
        </div>
      ) : null}
      {children ? (
        <div className={isFlush ? (title ? 'border-t border-line' : '') : 'px-4 py-4 sm:px-5'}>
          {children}
        </div>
      ) : null}
      {footer ? (
        <div className="flex flex-wrap items-center justify-between gap-2 border-t border-line bg-sunken/60 px-4 py-3 text-sm text-ink-subtle sm:px-5">
          {footer}
        </div>
      ) : null}
    </section>
  );
}

/** Facts as term and value; two columns where there is room. */
export function FactList({
  items,
  className,
}: {
  items: { term: ReactNode; value: ReactNode }[];
  className?: string;
}) {
  return (
    <dl className={classNames('grid grid-cols-[minmax(6rem,auto)_1fr] gap-x-4 gap-y-2 text-sm', className)}>
      {items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the list is static and terms may be elements
        <div key={index} className="contents">
          <dt className="text-ink-subtle">{item.term}</dt>
          <dd className="min-w-0 wrap-anywhere text-ink">{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
