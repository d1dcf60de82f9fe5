'use client';

import { type ReactNode, useState } from 'react';
import { classNames } from '#components/ui/class-names.ts';

/** Where files are dropped. Put a button into it that does the same by keyboard. */
export function DropTarget({
  onFiles,
  isDisabled = false,
  children,
}: {
  onFiles: (files: FileList) => void;
  isDisabled?: boolean;
  children: ReactNode;
}) {
  const [isHovered, setIsHovered] = useState(false);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- dropping is an extra; the button inside does the same by keyboard
    <div
      onDragOver={(event) => {
        event.preventDefault();
        setIsHovered(true);
      }}
      onDragLeave={() => setIsHovered(false)}
      onDrop={(event) => {
        event.preventDefault();
        setIsHovered(false);
        if (!isDisabled) onFiles(event.dataTransfer.files);
      }}
      className={classNames(
        'flex flex-col items-center gap-3 rounded-lg border border-dashed px-6 py-8 text-center transition-colors',
        isHovered && !isDisabled ? 'border-accent bg-accent-soft' : 'border-line-strong bg-surface',
      )}
    >
      {children}
    </div>
  );
}
