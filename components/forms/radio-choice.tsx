import type { ReactNode } from 'react';

/** One of a few choices that stand beside each other. */
export function Radio({
  group,
  isChecked,
  onChoose,
  children,
}: {
  group: string;
  isChecked: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  return (
    <label className="flex items-center gap-2 text-sm text-ink pointer-coarse:min-h-11">
      <input
        type="radio"
        name={group}
        checked={isChecked}
        onChange={onChoose}
        className="size-4 accent-(--color-accent)"
      />
      {children}
    </label>
  );
}
