import { classNames } from '#components/ui/class-names.ts';

/** The mark: a voice, as three bars in a speech bubble. */
export function LogoMark({ className }: { className?: string }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true" className={classNames('size-6 shrink-0', className)}>
      <path
        d="M6 1h12a5 5 0 0 1 5 5v9a5 5 0 0 1-5 5h-5.2l-4 3a.8.8 0 0 1-1.3-.64V20H6a5 5 0 0 1-5-5V6a5 5 0 0 1 5-5Z"
        className="fill-accent"
      />
      <path
        d="M7.5 9v3M12 6.5v8M16.5 8.5v4"
        className="stroke-accent-contrast"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
}

export function Logo() {
  return (
    <span className="inline-flex items-center gap-2 text-lg font-semibold tracking-tight text-ink">
      <LogoMark />
      Callwright
    </span>
  );
}
