import type { ReactNode } from 'react';
import { CircleAlert } from 'lucide-react';
import { classNames } from './class-names.ts';

type StateProps = {
  icon?: ReactNode;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  isBare?: boolean;
};

/** Nothing here yet: why, and what to do about it. `isBare` leaves out the frame, inside a card. */
export function EmptyState({ icon, title, description, actions, isBare = false }: StateProps) {
  return (
    <div
      className={classNames(
        'flex flex-col items-center justify-center px-6 py-14 text-center',
        !isBare && 'rounded-lg border border-dashed border-line-strong bg-surface',
      )}
    >
      {icon ? (
        <span
          aria-hidden="true"
          className="mb-3 flex size-10 items-center justify-center rounded-lg border border-line bg-sunken text-ink-subtle [&_svg]:size-5"
        >
          {icon}
        </span>
      ) : null}
      <p className="text-base font-medium text-ink">{title}</p>
      {description ? (
        <p className="mt-1 max-w-md text-sm text-pretty text-ink-subtle">{description}</p>
      ) : null}
      {actions ? <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

/** Something failed: what, and how to go on. Announced at once. */
export function ErrorState({ title, description, actions, isBare = false }: Omit<StateProps, 'icon'>) {
  return (
    <div
      role="alert"
      className={classNames(
        'flex flex-col items-center justify-center px-6 py-14 text-center',
        !isBare && 'rounded-lg border border-line bg-surface',
      )}
    >
      <span
        aria-hidden="true"
        className="mb-3 flex size-10 items-center justify-center rounded-lg border border-danger-line bg-danger-soft text-danger-text"
      >
        <CircleAlert className="size-5" />
      </span>
      <p className="text-base font-medium text-ink">{title}</p>
      {description ? (
        <p className="mt-1 max-w-md text-sm text-pretty text-ink-subtle">{description}</p>
      ) : null}
      {actions ? <div className="mt-4 flex flex-wrap justify-center gap-2">{actions}</div> : null}
    </div>
  );
}

const NOTICE_TONES = {
  info: 'border-accent-line bg-accent-soft text-ink [&>svg]:text-accent-text',
  warning: 'border-warning-line bg-warning-soft text-ink [&>svg]:text-warning-text',
  danger: 'border-danger-line bg-danger-soft text-ink [&>svg]:text-danger-text',
  success: 'border-success-line bg-success-soft text-ink [&>svg]:text-success-text',
};

/** A banner inside a page. */
export function Notice({
  tone = 'info',
  icon,
  title,
  children,
  actions,
}: {
  tone?: keyof typeof NOTICE_TONES;
  icon?: ReactNode;
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div
      role={tone === 'danger' ? 'alert' : 'note'}
      className={classNames(
        'flex items-start gap-2.5 rounded-lg border px-3.5 py-2.5 text-sm [&>svg]:mt-0.5 [&>svg]:size-4 [&>svg]:shrink-0',
        NOTICE_TONES[tone],
      )}
    >
      {icon}
      <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-60">
          {title ? <p className="font-medium">{title}</p> : null}
          {children ? <div className="text-pretty wrap-anywhere text-ink-muted">{children}</div> : null}
        </div>
        {actions ? <div className="flex shrink-0 gap-2">{actions}</div> : null}
      </div>
    </div>
  );
}
