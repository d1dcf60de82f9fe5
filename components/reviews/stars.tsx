'use client';

import { useId } from 'react';
import { Star } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';

const STARS = [1, 2, 3, 4, 5] as const;

function starsLabel(stars: number): string {
  return stars === 1 ? '1 star' : `${stars} stars`;
}

/** A rating that is only shown. */
export function Stars({ stars }: { stars: number }) {
  return (
    <span className="inline-flex items-center gap-0.5 align-middle">
      {STARS.map((each) => (
        <StarIcon key={each} isFull={each <= stars} className="size-3.5" />
      ))}
      <span className="sr-only">{starsLabel(stars)}</span>
    </span>
  );
}

/** Five radio buttons in a row: arrows choose, as the browser has it. */
export function StarChoice({ value, onChoose }: { value: number | null; onChoose: (stars: number) => void }) {
  const name = useId();
  return (
    <fieldset className="flex items-center">
      <legend className="sr-only">Your rating</legend>
      {STARS.map((stars) => (
        <label
          key={stars}
          title={starsLabel(stars)}
          className="relative flex size-7 cursor-pointer items-center justify-center rounded-md hover:bg-hover has-focus-visible:outline-2 has-focus-visible:outline-ring pointer-coarse:size-10"
        >
          <input
            type="radio"
            name={name}
            value={stars}
            checked={value === stars}
            onChange={() => onChoose(stars)}
            aria-label={starsLabel(stars)}
            aria-keyshortcuts={String(stars)}
            className="absolute inset-0 cursor-pointer appearance-none rounded-md outline-none"
          />
          <StarIcon isFull={stars <= (value ?? 0)} className="pointer-events-none size-5" />
        </label>
      ))}
    </fieldset>
  );
}

function StarIcon({ isFull, className }: { isFull: boolean; className: string }) {
  return (
    <Star
      aria-hidden="true"
      fill={isFull ? 'currentColor' : 'none'}
      className={classNames(className, isFull ? 'text-accent-text' : 'text-ink-subtle')}
    />
  );
}
