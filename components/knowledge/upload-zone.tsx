'use client';

import { useEffect, useRef } from 'react';
import { CircleAlert, CircleCheck, Clock, FileUp, RotateCw, X } from 'lucide-react';
import { DropTarget } from '#components/forms/drop-target.tsx';
import { UnsavedChanges } from '#components/forms/unsaved-changes.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Progress } from '#components/ui/progress.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { formatBytes } from './format-bytes.ts';
import { ACCEPTED_EXTENSIONS, isOver, progressOf, type Upload, type UploadPhase } from './upload-queue.ts';
import { useUploads } from './use-uploads.ts';

/** Takes many files at once, by drop or by choice, and tells of each how it went. */
export function UploadZone({ knowledgeBaseId }: { knowledgeBaseId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { uploads, add, cancel, retry, clear } = useUploads(workspaceId, knowledgeBaseId);
  useNoDropBeside();
  return (
    <section aria-label="Upload documents" className="flex flex-col gap-3">
      <UnsavedChanges
        isDirty={uploads.some((upload) => !isOver(upload))}
        title="Leave while files are uploaded?"
        description="Files that are still waiting will not be uploaded, and those on their way may not arrive."
      />
      <DropZone onFiles={add} />
      {uploads.length > 0 ? (
        <UploadList uploads={uploads} onCancel={cancel} onRetry={retry} onClear={clear} />
      ) : null}
    </section>
  );
}

/** Where files are dropped, and the button that does the same by keyboard. */
function DropZone({ onFiles }: { onFiles: (files: Iterable<File>) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <DropTarget onFiles={onFiles}>
      <FileUp aria-hidden="true" className="size-6 text-ink-subtle" />
      <div>
        <p className="font-medium text-ink pointer-coarse:hidden">Drop documents here</p>
        <p className="hidden font-medium text-ink pointer-coarse:block">Add documents</p>
        <p className="text-sm text-balance text-ink-subtle">
          PDF, DOCX, TXT, MD, CSV or JSON, up to 50 MB each
        </p>
      </div>
      <Button onClick={() => input.current?.click()}>Choose files</Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Files to upload"
        accept={ACCEPTED_EXTENSIONS.join(',')}
        onChange={(event) => {
          onFiles(event.target.files ?? []);
          // The same file can be chosen again, after it was corrected.
          event.target.value = '';
        }}
      />
    </DropTarget>
  );
}

type UploadListProps = {
  uploads: readonly Upload[];
  onCancel: (key: Upload['key']) => void;
  onRetry: (key: Upload['key']) => void;
  onClear: () => void;
};

function UploadList({ uploads, onCancel, onRetry, onClear }: UploadListProps) {
  return (
    <div className="rounded-lg border border-line bg-surface">
      <ul aria-label="Uploads" className="divide-y divide-line">
        {uploads.map((upload) => (
          <UploadRow
            key={upload.key}
            upload={upload}
            onCancel={() => onCancel(upload.key)}
            onRetry={() => onRetry(upload.key)}
          />
        ))}
      </ul>
      <div className="flex min-h-11 items-center justify-between gap-3 border-t border-line py-2 pr-3 pl-4">
        <output className="figures text-sm text-ink-subtle">{progressOf(uploads)}</output>
        {uploads.some(isOver) ? (
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear finished
          </Button>
        ) : null}
      </div>
    </div>
  );
}

/** A file that misses the zone would otherwise be opened by the browser in place of this page. */
function useNoDropBeside(): void {
  useEffect(() => {
    const refuse = (event: DragEvent) => {
      if (event.defaultPrevented || !event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      event.dataTransfer.dropEffect = 'none';
    };
    window.addEventListener('dragover', refuse);
    window.addEventListener('drop', refuse);
    return () => {
      window.removeEventListener('dragover', refuse);
      window.removeEventListener('drop', refuse);
    };
  }, []);
}

const ICONS: Record<UploadPhase, React.ReactNode> = {
  waiting: <Clock aria-hidden="true" className="size-4 text-ink-subtle" />,
  sending: <Spinner className="text-accent-text" />,
  reading: <Spinner className="text-accent-text" />,
  completed: <CircleCheck aria-hidden="true" className="size-4 text-success-text" />,
  failed: <CircleAlert aria-hidden="true" className="size-4 text-danger-text" />,
  cancelled: <X aria-hidden="true" className="size-4 text-ink-subtle" />,
};

function wordsOf(upload: Upload): string {
  switch (upload.phase) {
    case 'waiting':
      return 'Waiting';
    case 'sending':
      return `Uploading, ${Math.round(upload.fraction * 100)} %`;
    case 'reading':
      return 'Extracting, splitting and embedding';
    case 'completed':
    case 'failed':
    case 'cancelled':
      return upload.result ?? '';
  }
}

function UploadRow({
  upload,
  onCancel,
  onRetry,
}: {
  upload: Upload;
  onCancel: () => void;
  onRetry: () => void;
}) {
  return (
    <li className="flex items-start gap-3 px-4 py-2.5">
      <span className="flex h-5 items-center">{ICONS[upload.phase]}</span>
      <div className="min-w-0 flex-1">
        <p className="flex items-baseline justify-between gap-3 text-sm">
          <span className="min-w-0 truncate font-medium text-ink">{upload.file.name}</span>
          <span className="figures shrink-0 text-xs text-ink-subtle">{formatBytes(upload.file.size)}</span>
        </p>
        <p
          className={classNames(
            'figures text-sm wrap-anywhere',
            upload.phase === 'failed' ? 'text-danger-text' : 'text-ink-subtle',
          )}
        >
          {wordsOf(upload)}
        </p>
        {upload.phase === 'sending' ? (
          <Progress
            label={`Uploading ${upload.file.name}`}
            value={upload.fraction * 100}
            className="mt-1.5"
          />
        ) : null}
      </div>
      {/* As wide as its button also without one, so that the sizes of all files stand below each other. */}
      <span className="w-7 shrink-0 pointer-coarse:w-9">
        {isOver(upload) ? (
          upload.mayRetry ? (
            <IconButton
              size="sm"
              label={`Upload ${upload.file.name} again`}
              icon={<RotateCw aria-hidden="true" />}
              onClick={onRetry}
            />
          ) : null
        ) : (
          <IconButton
            size="sm"
            label={`Cancel ${upload.file.name}`}
            icon={<X aria-hidden="true" />}
            onClick={onCancel}
          />
        )}
      </span>
    </li>
  );
}
