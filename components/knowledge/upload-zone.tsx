'use client';

import { useEffect, useRef } from 'react';
import { FileUp } from 'lucide-react';
import { DropTarget } from '#components/forms/drop-target.tsx';
import { UnsavedChanges } from '#components/forms/unsaved-changes.tsx';
import { Button } from '#components/ui/button.tsx';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { UploadList } from './upload-list.tsx';
import { ACCEPTED_EXTENSIONS, isOver } from './upload-queue.ts';
import { useUploads } from './use-uploads.ts';

/** Takes many files at once, by drop or by choice, and tells of each how it went. */
export function UploadZone({ knowledgeBaseId }: { knowledgeBaseId: string }) {
  const { id: workspaceId } = useWorkspace();
  const { uploads, add, answer, cancel, retry, clear } = useUploads(workspaceId, knowledgeBaseId);
  useNoDropBeside();
  return (
    <section aria-label="Upload documents" className="flex flex-col gap-3">
      <UnsavedChanges
        isDirty={uploads.some((upload) => !isOver(upload))}
        title="Leave while files are uploaded?"
        description="Files that are still waiting will not be uploaded, and those on their way may not arrive."
      />
      <DropZone onFiles={(files) => void add(files)} />
      {uploads.length > 0 ? (
        <UploadList uploads={uploads} onAnswer={answer} onCancel={cancel} onRetry={retry} onClear={clear} />
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
