import { classNames } from './class-names.ts';

/** Decorative: say in words beside it, or by `aria-busy`, what is going on. */
export function Spinner({ className }: { className?: string | undefined }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true" className={classNames('size-4 animate-spin', className)}>
      <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeOpacity="0.25" strokeWidth="2" />
      <path d="M14 8a6 6 0 0 0-6-6" fill="none" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
    </svg>
  );
}
