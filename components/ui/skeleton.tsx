import { classNames } from './class-names.ts';

/** The shape of what is still loading. Put `aria-busy` and a hidden sentence on the part around it. */
export function Skeleton({ className }: { className?: string }) {
  return (
    <span aria-hidden="true" className={classNames('block animate-pulse rounded-md bg-hover', className)} />
  );
}

export function TableSkeleton({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div aria-live="polite" aria-busy="true" className="rounded-lg border border-line bg-surface">
      <span className="sr-only">{label}</span>
      <div className="h-9 border-b border-line bg-sunken/60" />
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-11 items-center gap-6 border-b border-line px-4 last:border-b-0">
          <Skeleton className="h-3 w-28" />
          <Skeleton className="h-3 w-40" />
          <Skeleton className="hidden h-3 flex-1 sm:block" />
          <Skeleton className="ml-auto h-3 w-16" />
        </div>
      ))}
    </div>
  );
}
