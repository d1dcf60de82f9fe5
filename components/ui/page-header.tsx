import type { ReactNode } from 'react';
import { ChevronRight } from 'lucide-react';
import { Link } from './link.tsx';
import { classNames } from './class-names.ts';

/** The frame of every page: one width, one rhythm. `narrow` for forms, `wide` for tables and detail pages. */
export function Page({ width = 'wide', children }: { width?: 'narrow' | 'wide'; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'mx-auto flex w-full flex-col gap-6 px-4 py-6 sm:px-6 lg:px-8 lg:py-8',
        width === 'narrow' ? 'max-w-4xl' : 'max-w-[90rem]',
      )}
    >
      {children}
    </div>
  );
}

type PageHeaderProps = {
  title: ReactNode;
  description?: ReactNode;
  /** The pages above this one, outermost first. */
  trail?: { label: string; href: string }[];
  /** Beside the title: a state. */
  badge?: ReactNode;
  actions?: ReactNode;
};

/** The page's only `h1`. */
export function PageHeader({ title, description, trail, badge, actions }: PageHeaderProps) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
      <div className="min-w-0">
        {trail && trail.length > 0 ? (
          <nav aria-label="Breadcrumb" className="mb-1">
            <ol className="flex flex-wrap items-center gap-1 text-sm text-ink-subtle">
              {trail.map((step) => (
                <li key={step.href} className="flex items-center gap-1">
                  <Link href={step.href} className="rounded-sm hover:text-ink hover:underline">
                    {step.label}
                  </Link>
                  <ChevronRight aria-hidden="true" className="size-3.5 shrink-0" />
                </li>
              ))}
            </ol>
          </nav>
        ) : null}
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          {/* It takes the focus where what had it is gone. */}
          <h1
            tabIndex={-1}
            className="min-w-0 rounded-sm text-xl font-semibold tracking-tight wrap-anywhere text-ink"
          >
            {title}
          </h1>
          {badge}
        </div>
        {description ? (
          <div className="mt-0.5 max-w-2xl text-base text-pretty text-ink-muted">{description}</div>
        ) : null}
      </div>
      {actions ? <div className="flex flex-wrap items-center gap-2 empty:hidden">{actions}</div> : null}
    </header>
  );
}

export function Stat({ label, value, detail }: { label: string; value: ReactNode; detail?: ReactNode }) {
  return (
    <div className="min-w-0 rounded-lg border border-line bg-surface px-4 py-3 shadow-card">
      <p className="truncate text-sm text-ink-subtle">{label}</p>
      <p className="figures mt-0.5 truncate text-xl font-semibold tracking-tight text-ink">{value}</p>
      {detail ? (
        <div className="mt-0.5 text-xs text-pretty wrap-anywhere text-ink-subtle">{detail}</div>
      ) : null}
    </div>
  );
}
