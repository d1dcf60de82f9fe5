import { Check } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';

const STEPS = ['List', 'Columns', 'Check', 'Schedule'] as const;

/** How far a campaign is on its way to being started. `current`: from 0. */
export function Steps({ current }: { current: number }) {
  return (
    <ol aria-label="Steps" className="flex flex-wrap items-center gap-x-5 gap-y-2 text-sm">
      {STEPS.map((label, index) => (
        <li
          key={label}
          aria-current={index === current ? 'step' : undefined}
          className={classNames(
            'flex items-center gap-2',
            index === current ? 'font-medium text-ink' : 'text-ink-subtle',
          )}
        >
          <span
            className={classNames(
              'figures flex size-6 items-center justify-center rounded-full border text-xs',
              index === current
                ? 'border-accent bg-accent text-accent-contrast'
                : 'border-line-strong bg-surface',
            )}
          >
            {index < current ? <Check aria-hidden="true" className="size-3.5" /> : index + 1}
          </span>
          {label}
          {index < current ? <span className="sr-only">, done</span> : null}
        </li>
      ))}
    </ol>
  );
}
