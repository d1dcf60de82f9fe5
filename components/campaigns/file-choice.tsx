'use client';

import { useRef } from 'react';
import { FileSpreadsheet } from 'lucide-react';
import { DropTarget } from '#components/forms/drop-target.tsx';
import { formatBytes } from '#components/knowledge/format-bytes.ts';
import { Button } from '#components/ui/button.tsx';
import { Spinner } from '#components/ui/spinner.tsx';

/** One table of people, by drop or by choice. */
export function FileChoice({
  file,
  isBusy,
  isDisabled = false,
  onFile,
}: {
  file: File | null;
  isBusy: boolean;
  isDisabled?: boolean;
  onFile: (file: File) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const take = (files: FileList | null) => {
    const [first] = files ?? [];
    if (first && !isDisabled) onFile(first);
  };
  return (
    <DropTarget onFiles={take} isDisabled={isDisabled}>
      {isBusy ? (
        <Spinner className="text-accent-text" />
      ) : (
        <FileSpreadsheet aria-hidden="true" className="size-6 text-ink-subtle" />
      )}
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere text-ink">{file ? file.name : 'A table of people as CSV'}</p>
        <p className="text-sm text-balance text-ink-subtle">
          {file
            ? formatBytes(file.size)
            : 'One person a row, their number in one column, what the agent should know of them in others. Up to 20,000 rows.'}
        </p>
      </div>
      <Button disabled={isDisabled} isBusy={isBusy} onClick={() => input.current?.click()}>
        {file ? 'Choose another file' : 'Choose file'}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Table of people"
        accept=".csv,.tsv,.txt,text/csv"
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again, after it was corrected.
          event.target.value = '';
        }}
      />
    </DropTarget>
  );
}
