'use client';

import { useEffect, useId, useRef, useState, type FormEvent, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { useQuery } from '@tanstack/react-query';
import { Plus, X } from 'lucide-react';
import { tagLabel } from '#components/conversations/wording.ts';
import { workspacePath } from '#components/layout/navigation.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Input } from '#components/ui/input.tsx';
import { Link } from '#components/ui/link.tsx';
import { Moment } from '#components/ui/moment.tsx';
import type { ReviewTag } from '#lib/features/reviews/contract.ts';
import { tagQueries } from '#lib/features/tags/queries.ts';
import { useReview } from './use-review.ts';

/** Asks the editor on the page to open its field; the shortcut for tags does. */
const OPEN = 'callwright:add-tag';

export function openTagField(): void {
  document.dispatchEvent(new Event(OPEN));
}

/** The tags of a conversation: the analyzer's, and what people made of them, with who and when. */
export function TagEditor({ callId, tags }: { callId: string; tags: readonly string[] }) {
  const workspace = useWorkspace();
  const { review, change } = useReview(callId);
  const mayEdit = workspace.role !== 'viewer';
  const known: ReviewTag[] =
    review?.tags ?? tags.map((tag): ReviewTag => ({ tag, state: 'kept', edit: null }));
  const there = known.filter(({ state }) => state !== 'removed');
  const edited = known.filter(({ edit }) => edit !== null);
  const step = (tag: string, isAdded: boolean) => change({ kind: 'tag', tag, isAdded });
  if (known.length === 0 && !mayEdit) return null;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1.5">
        {there.length > 0 ? (
          <ul aria-label="Tags" className="flex flex-wrap gap-1.5">
            {there.map(({ tag, state }) => (
              <li key={tag} className="flex items-center">
                <TagLink tag={tag} isAdded={state === 'added'} />
                {mayEdit ? (
                  <IconButton
                    size="sm"
                    label={`Remove the tag ${tagLabel(tag)}`}
                    icon={<X aria-hidden="true" className="size-3!" />}
                    className="size-6! pointer-coarse:size-8!"
                    onClick={() => step(tag, false)}
                  />
                ) : null}
              </li>
            ))}
          </ul>
        ) : null}
        {mayEdit ? <NewTag onAdd={(tag) => step(tag, true)} taken={there.map(({ tag }) => tag)} /> : null}
      </div>
      {edited.length > 0 ? (
        <ul aria-label="Changes to the tags" className="flex flex-col gap-0.5 text-xs text-ink-subtle">
          {edited.map((each) => (
            <EditLine key={each.tag} tag={each} onPutBack={mayEdit ? () => step(each.tag, true) : null} />
          ))}
        </ul>
      ) : null}
    </div>
  );
}

/** Leads to the other conversations that have it. */
function TagLink({ tag, isAdded }: { tag: string; isAdded: boolean }) {
  const workspace = useWorkspace();
  return (
    <Link
      href={`${workspacePath(workspace.id, 'conversations')}?${new URLSearchParams({ tag })}`}
      className="block rounded-sm hover:opacity-80"
    >
      <Badge tone={isAdded ? 'accent' : 'neutral'}>{tagLabel(tag)}</Badge>
    </Link>
  );
}

function EditLine({
  tag: { tag, state, edit },
  onPutBack,
}: {
  tag: ReviewTag;
  onPutBack: (() => void) | null;
}) {
  if (edit === null) return null;
  return (
    <li className="flex flex-wrap items-center gap-x-1.5">
      <span className={state === 'removed' ? 'line-through' : undefined}>{tagLabel(tag)}</span>
      <span className="min-w-0 wrap-anywhere">
        {state} by {edit.by}, <Moment iso={edit.at} />
      </span>
      {state === 'removed' && onPutBack ? (
        <Button
          size="sm"
          variant="ghost"
          className="h-6! px-1! text-xs! pointer-coarse:h-8!"
          aria-label={`Put back the tag ${tagLabel(tag)}`}
          onClick={onPutBack}
        >
          Put back
        </Button>
      ) : null}
    </li>
  );
}

function NewTag({ onAdd, taken }: { onAdd: (tag: string) => void; taken: readonly string[] }) {
  const [text, setText] = useState<string | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // At once: what is typed next is for the field, and no shortcut.
    const open = () => flushSync(() => setText((current) => current ?? ''));
    document.addEventListener(OPEN, open);
    return () => document.removeEventListener(OPEN, open);
  }, []);
  const close = () => {
    setText(null);
    // Where the field was, once it is gone.
    requestAnimationFrame(() => button.current?.focus());
  };
  if (text === null)
    return (
      <Button
        ref={button}
        size="sm"
        variant="ghost"
        aria-keyshortcuts="t"
        className="h-6! px-1.5! text-xs! pointer-coarse:h-9!"
        onClick={() => setText('')}
      >
        <Plus aria-hidden="true" className="size-3.5!" />
        Add tag
      </Button>
    );
  return <TagField text={text} taken={taken} onChange={setText} onAdd={onAdd} onClose={close} />;
}

type TagFieldProps = {
  text: string;
  taken: readonly string[];
  onChange: (text: string) => void;
  onAdd: (tag: string) => void;
  onClose: () => void;
};

function TagField({ text, taken, onChange, onAdd, onClose }: TagFieldProps) {
  const workspace = useWorkspace();
  const listId = useId();
  const { data } = useQuery(tagQueries.list(workspace.id));
  const offered = [...(data?.custom ?? []), ...(data?.system ?? [])].filter(
    ({ name }) => !taken.includes(name),
  );
  const tag = tagNameOf(text);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (tag === '') return;
    onAdd(tag);
    onClose();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-1">
      <Input
        aria-label="New tag"
        list={listId}
        value={text}
        maxLength={64}
        placeholder="Tag…"
        autoComplete="off"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- it was opened to be written into
        autoFocus
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={onKeyDown}
        className="h-7! w-40! pointer-coarse:h-9!"
      />
      <datalist id={listId}>
        {offered.map(({ name, description }) => (
          <option key={name} value={name}>
            {description}
          </option>
        ))}
      </datalist>
      <Button type="submit" size="sm" disabled={tag === ''}>
        Add
      </Button>
      <IconButton size="sm" label="Add no tag" icon={<X aria-hidden="true" />} onClick={onClose} />
    </form>
  );
}

/** `Wants refund` → `wants_refund`: names are written as the analyzer writes its own. */
function tagNameOf(text: string): string {
  return text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, '_')
    .replace(/[^\w-]/g, '')
    .slice(0, 64);
}
