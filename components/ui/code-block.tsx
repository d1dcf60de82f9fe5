import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

type CodeBlockProps = {
  code: string;
  /** What it is, for the copy button and screen readers: "curl command". */
  label: string;
  /** Wraps long lines; otherwise they scroll. */
  isWrapped?: boolean;
  className?: string;
};

export function CodeBlock({ code, label, isWrapped = false, className }: CodeBlockProps) {
  return (
    <div
      className={classNames(
        'group relative min-w-0 overflow-hidden rounded-lg border border-line bg-sunken',
        className,
      )}
    >
      <section
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrollable, so reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className="focus-inset max-h-96 overflow-auto rounded-lg py-3 pr-12 pl-3.5 max-sm:pt-11 max-sm:pr-3.5 pointer-coarse:max-sm:pt-14"
      >
        <pre
          className={classNames(
            'font-mono text-xs text-ink',
            isWrapped && 'wrap-anywhere whitespace-pre-wrap',
          )}
        >
          <code>{code}</code>
        </pre>
      </section>
      <CopyButton
        text={code}
        label={`Copy ${label}`}
        variant="secondary"
        className="absolute top-2 right-2"
      />
    </div>
  );
}

/** An id, a number, a piece of code inside a sentence. */
export function InlineCode({ children }: { children: React.ReactNode }) {
  return (
    <code className="rounded-sm border border-line bg-sunken px-1 py-px font-mono text-[0.9em] break-all text-ink">
      {children}
    </code>
  );
}

export function Kbd({ children }: { children: React.ReactNode }) {
  return (
    <kbd className="inline-flex h-[1.125rem] min-w-[1.125rem] items-center justify-center rounded-sm border border-line bg-surface px-1 font-sans text-2xs font-medium text-ink-subtle">
      {children}
    </kbd>
  );
}
