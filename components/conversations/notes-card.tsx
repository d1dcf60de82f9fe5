'use client';

import {
  useEffect,
  useId,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Pencil, Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { ConfirmDialog } from '#components/ui/dialog.tsx';
import { Textarea } from '#components/ui/input.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { useToast } from '#components/ui/toast.tsx';
import {
  addCallNote,
  type CallNote,
  deleteCallNote,
  editCallNote,
  MAX_NOTE_CHARACTERS,
} from '#lib/features/notes/contract.ts';
import { noteQueries } from '#lib/features/notes/queries.ts';
import { callOperation } from '#lib/http/client.ts';

/** Asks the card on the page for its empty field; the shortcut for notes does. */
const WRITE = 'callwright:write-note';

export function focusNewNote(): void {
  document.dispatchEvent(new Event(WRITE));
}

/** What people of the workspace wrote down about a call, while it runs and afterwards. */
export function NotesCard({ callId }: { callId: string }) {
  const workspace = useWorkspace();
  const { data: notes, error } = useQuery(noteQueries.list(workspace.id, callId));
  const mayWrite = workspace.role !== 'viewer';
  return (
    <Card title="Notes">
      <div className="flex flex-col gap-3">
        {notes === undefined ? (
          error ? (
            <p role="alert" className="text-sm text-danger-text">
              The notes could not be loaded: {describeFailure(error)}
            </p>
          ) : (
            <Skeleton className="h-10" />
          )
        ) : notes.length > 0 ? (
          <ul aria-label="Notes" className="flex flex-col gap-3">
            {notes.map((note) => (
              <NoteItem key={note.id} callId={callId} note={note} />
            ))}
          </ul>
        ) : mayWrite ? null : (
          <p className="text-sm text-ink-subtle">Nobody has written a note.</p>
        )}
        {mayWrite ? <NewNote callId={callId} /> : null}
      </div>
    </Card>
  );
}

/** Changes notes and shows the list anew. */
function useNoteChange<Input>(
  callId: string,
  change: (input: Input, workspaceId: string) => Promise<unknown>,
) {
  const workspace = useWorkspace();
  const toast = useToast();
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (input: Input) => change(input, workspace.id),
    onError: (error) =>
      toast({ tone: 'danger', title: 'The note was not saved', description: describeFailure(error) }),
    onSettled: () => queryClient.invalidateQueries(noteQueries.list(workspace.id, callId)),
  });
}

function NewNote({ callId }: { callId: string }) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const write = () => field.current?.focus();
    document.addEventListener(WRITE, write);
    return () => document.removeEventListener(WRITE, write);
  }, []);
  // Letters are shortcuts again.
  const leave = () => field.current?.blur();
  const add = useNoteChange(callId, (note: string, workspaceId) =>
    callOperation(addCallNote, { params: { callId }, body: { text: note } }, { workspaceId }),
  );
  return (
    <NoteForm
      label="New note"
      field={field}
      text={text}
      onChange={setText}
      isBusy={add.isPending}
      saveLabel="Add note"
      onSave={() => {
        leave();
        add.mutate(text, { onSuccess: () => setText('') });
      }}
      onCancel={leave}
      isCancelledByKey
    />
  );
}

type NoteFormProps = {
  label: string;
  text: string;
  onChange: (text: string) => void;
  isBusy: boolean;
  saveLabel: string;
  onSave: () => void;
  onCancel?: () => void;
  /** By Escape alone: there is nothing to take back. */
  isCancelledByKey?: boolean;
  field?: RefObject<HTMLTextAreaElement | null>;
};

function NoteForm(props: NoteFormProps) {
  const { label, text, onChange, isBusy, saveLabel, onSave, onCancel } = props;
  const hintId = useId();
  const isEmpty = text.trim() === '';
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isEmpty && !isBusy) onSave();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event);
    if (event.key === 'Escape' && onCancel) onCancel();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <Textarea
        {...(props.field ? { ref: props.field } : {})}
        rows={2}
        aria-label={label}
        aria-describedby={hintId}
        placeholder="Only your workspace reads this…"
        maxLength={MAX_NOTE_CHARACTERS}
        value={text}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <div className="flex items-center justify-end gap-2">
        <span id={hintId} className="mr-auto text-xs text-ink-subtle pointer-coarse:sr-only">
          Ctrl + Enter saves
        </span>
        {onCancel && !props.isCancelledByKey ? (
          <Button size="sm" onClick={onCancel}>
            Cancel
          </Button>
        ) : null}
        <Button type="submit" size="sm" isBusy={isBusy} disabled={isEmpty}>
          {saveLabel}
        </Button>
      </div>
    </form>
  );
}

function NoteItem({ callId, note }: { callId: string; note: CallNote }) {
  const [draft, setDraft] = useState<string | null>(null);
  const params = { callId, noteId: note.id };
  const edit = useNoteChange(callId, (text: string, workspaceId) =>
    callOperation(editCallNote, { params, body: { text } }, { workspaceId }),
  );
  const remove = useNoteChange(callId, (_: void, workspaceId) =>
    callOperation(deleteCallNote, { params }, { workspaceId }),
  );
  return (
    <li className="group/note text-sm">
      <div className="flex items-center gap-1 text-xs text-ink-subtle">
        <span className="min-w-0 truncate" title={note.author}>
          {note.author}
        </span>
        <span aria-hidden="true">·</span>
        <span className="shrink-0">
          <Moment iso={note.createdAt} />
          {note.editedAt === null ? '' : ', edited'}
        </span>
        {note.mayChange && draft === null ? (
          <span className="ml-auto flex shrink-0">
            <IconButton
              size="sm"
              label="Edit note"
              icon={<Pencil aria-hidden="true" />}
              onClick={() => setDraft(note.text)}
            />
            <ConfirmDialog
              title="Delete this note?"
              description="It cannot be brought back."
              confirmLabel="Delete"
              onConfirm={() => remove.mutate()}
              trigger={<IconButton size="sm" label="Delete note" icon={<Trash2 aria-hidden="true" />} />}
            />
          </span>
        ) : null}
      </div>
      {draft === null ? (
        <p className="wrap-anywhere whitespace-pre-wrap text-ink">{note.text}</p>
      ) : (
        <NoteForm
          label="Edit note"
          text={draft}
          onChange={setDraft}
          isBusy={edit.isPending}
          saveLabel="Save"
          onSave={() => edit.mutate(draft, { onSuccess: () => setDraft(null) })}
          onCancel={() => setDraft(null)}
        />
      )}
    </li>
  );
}
