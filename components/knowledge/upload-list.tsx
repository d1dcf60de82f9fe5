'use client';

import { CircleAlert, CircleCheck, CircleHelp, Clock, RotateCw, X } from 'lucide-react';
import { Button, IconButton } from '#components/ui/button.tsx';
import { classNames } from '#components/ui/class-names.ts';
import { Moment } from '#components/ui/moment.tsx';
import { Progress } from '#components/ui/progress.tsx';
import { Spinner } from '#components/ui/spinner.tsx';
import { formatBytes } from './format-bytes.ts';
import { isOver, progressOf, type Upload, type UploadPhase } from './upload-queue.ts';

type UploadListProps = {
  uploads: readonly Upload[];
  onAnswer: (key: Upload['key'], isReplacing: boolean) => void;
  onCancel: (key: Upload['key']) => void;
  onRetry: (key: Upload['key']) => void;
  onClear: () => void;
};

/** The files of an upload, each with how it went or what is asked of it. */
export function UploadList({ uploads, onAnswer, onCancel, onRetry, onClear }: UploadListProps) {
  const asking = uploads.filter(({ phase }) => phase === 'asking');
  return (
    <div className="rounded-lg border border-line bg-surface">
      <ul aria-label="Uploads" className="divide-y divide-line">
        {uploads.map((upload) => (
          <UploadRow
            key={upload.key}
            upload={upload}
            onAnswer={(isReplacing) => onAnswer(upload.key, isReplacing)}
            onCancel={() => onCancel(upload.key)}
            onRetry={() => onRetry(upload.key)}
          />
        ))}
      </ul>
      <div className="flex min-h-11 items-center justify-between gap-3 border-t border-line py-2 pr-3 pl-4">
        <output className="figures text-sm text-ink-subtle">{progressOf(uploads)}</output>
        {asking.length > 1 ? (
          <Button size="sm" onClick={() => asking.forEach(({ key }) => onAnswer(key, true))}>
            {`Replace all ${asking.length}`}
          </Button>
        ) : null}
        {uploads.some(isOver) ? (
          <Button size="sm" variant="ghost" onClick={onClear}>
            Clear finished
          </Button>
        ) : null}
      </div>
    </div>
  );
}

const ICONS: Record<UploadPhase, React.ReactNode> = {
  asking: <CircleHelp aria-hidden="true" className="size-4 text-warning-text" />,
  waiting: <Clock aria-hidden="true" className="size-4 text-ink-subtle" />,
  sending: <Spinner className="text-accent-text" />,
  reading: <Spinner className="text-accent-text" />,
  completed: <CircleCheck aria-hidden="true" className="size-4 text-success-text" />,
  failed: <CircleAlert aria-hidden="true" className="size-4 text-danger-text" />,
  cancelled: <X aria-hidden="true" className="size-4 text-ink-subtle" />,
};

function wordsOf(upload: Upload): string {
  switch (upload.phase) {
    case 'asking':
      return '';
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
  onAnswer,
  onCancel,
  onRetry,
}: {
  upload: Upload;
  onAnswer: (isReplacing: boolean) => void;
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
        {upload.phase === 'asking' ? <NamesakeQuestion upload={upload} onAnswer={onAnswer} /> : null}
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

/** With both dates, so that an older file does not replace a newer one. */
function NamesakeQuestion({
  upload: { file, namesakes },
  onAnswer,
}: {
  upload: Upload;
  onAnswer: (isReplacing: boolean) => void;
}) {
  const [newest] = namesakes;
  if (!newest) return null;
  return (
    <>
      <p className="text-sm text-pretty text-ink-muted">
        {namesakes.length === 1
          ? 'A document of this name is here, uploaded '
          : `${namesakes.length} documents of this name are here, the newest uploaded `}
        <Moment iso={newest.createdAt} style="full" />. This file was last changed{' '}
        <Moment iso={new Date(file.lastModified).toISOString()} style="full" />.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" onClick={() => onAnswer(true)}>
          {namesakes.length === 1 ? 'Replace it' : `Replace all ${namesakes.length}`}
        </Button>
        <Button size="sm" variant="ghost" onClick={() => onAnswer(false)}>
          Keep both
        </Button>
      </div>
    </>
  );
}
