'use client';

import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useRouter, useSearchParams } from 'next/navigation';
import { useQueryClient } from '@tanstack/react-query';
import { Keyboard } from 'lucide-react';
import { focusNewNote } from '#components/conversations/notes-card.tsx';
import { conversationPath, requestedFilter } from '#components/conversations/filter.ts';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { IconButton } from '#components/ui/button.tsx';
import { Switch } from '#components/ui/checkbox.tsx';
import { Kbd } from '#components/ui/code-block.tsx';
import { Dialog } from '#components/ui/dialog.tsx';
import { Field } from '#components/ui/field.tsx';
import { useToast } from '#components/ui/toast.tsx';
import { conversationQueries } from '#lib/features/conversations/queries.ts';
import type { CallReview } from '#lib/features/reviews/contract.ts';
import { openTagField } from './tag-editor.tsx';
import type { ReviewStep } from './use-review.ts';

const SHORTCUTS: { keys: string[]; does: string }[] = [
  { keys: ['n'], does: 'Next conversation of this list that nobody has reviewed' },
  { keys: ['d'], does: 'Mark as reviewed and go to the next' },
  { keys: ['r'], does: 'Mark as reviewed, or take it back' },
  { keys: ['1', '2', '3', '4', '5'], does: 'Rate it with so many stars' },
  { keys: ['t'], does: 'Add a tag' },
  { keys: ['c'], does: 'Write a note; Ctrl+Enter saves it, Escape leaves it' },
  { keys: ['m'], does: 'Assign it to yourself' },
  { keys: ['Alt+↑', 'Alt+↓'], does: 'Conversation before and after this one' },
  { keys: ['space', '←', '→'], does: 'Play or pause, 5 seconds back, 5 seconds on' },
  { keys: ['?'], does: 'These shortcuts' },
];

type ReviewKeysProps = {
  callId: string;
  review: CallReview | undefined;
  change: (step: ReviewStep, then?: { onSuccess: () => void }) => void;
};

/** Reviewing without a mouse, and the list of the keys for it. Single letters can be switched off (WCAG 2.1.4). */
export function ReviewKeys({ callId, review, change }: ReviewKeysProps) {
  const isOn = useSyncExternalStore(subscribeToSwitch, readSwitch, () => true);
  const [isOpen, setIsOpen] = useState(false);
  const goOn = useNextOpen(callId);
  const act = (key: string): boolean => {
    if (key === '?') setIsOpen(true);
    else if (!isOn || review === undefined) return false;
    else if (key === 'n') void goOn();
    else if (key === 'd') {
      if (review.reviewed) void goOn();
      else change({ kind: 'review', isReviewed: true }, { onSuccess: () => void goOn() });
    } else if (key === 'r') change({ kind: 'review', isReviewed: review.reviewed === null });
    else if (key === 't') openTagField();
    else if (key === 'c') focusNewNote();
    else if (key === 'm') change({ kind: 'review', assigneeId: 'me' });
    else if (/^[1-5]$/.test(key)) change({ kind: 'rate', stars: Number(key) });
    else return false;
    return true;
  };
  useLetters(act);
  return (
    <Dialog
      title="Keyboard shortcuts"
      size="sm"
      isOpen={isOpen}
      onOpenChange={setIsOpen}
      trigger={
        <IconButton
          size="sm"
          label="Keyboard shortcuts"
          aria-keyshortcuts="?"
          title="Keyboard shortcuts (?)"
          icon={<Keyboard aria-hidden="true" />}
          className="-my-1"
        />
      }
    >
      <dl className="grid grid-cols-[auto_1fr] items-baseline gap-x-4 gap-y-2 text-sm">
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does} className="contents">
            <dt className="flex flex-wrap gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd className="text-ink">{does}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-4 border-t border-line pt-3">
        <Field label="Single letters and digits" layout="row" description="On this device.">
          <Switch checked={isOn} onCheckedChange={writeSwitch} />
        </Field>
      </div>
    </Dialog>
  );
}

/** Goes to the next conversation down the list that nobody has reviewed. */
function useNextOpen(callId: string): () => Promise<void> {
  const workspace = useWorkspace();
  const router = useRouter();
  const params = useSearchParams();
  const queryClient = useQueryClient();
  const toast = useToast();
  return async () => {
    const filter = { ...requestedFilter(Object.fromEntries(params)), review: 'open' as const };
    const query = conversationQueries.neighbours(workspace.id, callId, filter);
    try {
      const { next } = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      if (next === null) toast({ title: 'Nothing further down this list waits for a review' });
      else router.push(conversationPath(workspace.id, next, params));
    } catch (error) {
      toast({ tone: 'danger', title: describeFailure(error) });
    }
  };
}

const WRITTEN_INTO =
  'input:not([type="radio"]), textarea, select, [contenteditable], [role="menu"], [role="listbox"], [role="combobox"], [role="dialog"], [role="alertdialog"]';

/** Letters without another key, wherever nobody is writing and no dialog is open. */
function useLetters(act: (key: string) => boolean): void {
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target instanceof Element && event.target.closest(WRITTEN_INTO) !== null) return;
    if (act(event.key)) event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKeyDown(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, []);
}

const SWITCH = 'callwright.reviewKeys';
const SWITCHED = 'callwright:review-keys';

const readSwitch = () => localStorage.getItem(SWITCH) !== 'off';

function writeSwitch(isOn: boolean): void {
  localStorage.setItem(SWITCH, isOn ? 'on' : 'off');
  window.dispatchEvent(new Event(SWITCHED));
}

function subscribeToSwitch(onChange: () => void): () => void {
  window.addEventListener(SWITCHED, onChange);
  return () => window.removeEventListener(SWITCHED, onChange);
}
