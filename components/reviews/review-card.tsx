'use client';

import { useState, type FormEvent } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Check, RotateCcw, Trash2 } from 'lucide-react';
import { describeFailure } from '#components/forms/server-problems.ts';
import { useWorkspace } from '#components/layout/workspace-context.tsx';
import { Button, IconButton } from '#components/ui/button.tsx';
import { Card } from '#components/ui/card.tsx';
import { Input } from '#components/ui/input.tsx';
import { Moment } from '#components/ui/moment.tsx';
import { Select } from '#components/ui/select.tsx';
import { Skeleton } from '#components/ui/skeleton.tsx';
import { memberQueries } from '#lib/features/members/queries.ts';
import { type CallRating, type CallReview, MAX_SENTENCE_CHARACTERS } from '#lib/features/reviews/contract.ts';
import { ReviewKeys } from './review-keys.tsx';
import { StarChoice, Stars } from './stars.tsx';
import { type ReviewStep, useReview } from './use-review.ts';

type Change = (step: ReviewStep) => void;

/** Whether a conversation was reviewed, by whom it should be, and how good it was. */
export function ReviewCard({ callId }: { callId: string }) {
  const workspace = useWorkspace();
  const { review, error, change, isBusy } = useReview(callId);
  const mayReview = workspace.role !== 'viewer';
  return (
    <Card
      title="Review"
      actions={mayReview ? <ReviewKeys callId={callId} review={review} change={change} /> : null}
    >
      {review === undefined ? (
        error ? (
          <p role="alert" className="text-sm text-danger-text">
            The review could not be loaded: {describeFailure(error)}
          </p>
        ) : (
          <Skeleton className="h-24" />
        )
      ) : (
        <div className="flex flex-col gap-3 text-sm">
          <Mark review={review} isBusy={isBusy} change={mayReview ? change : null} />
          <Assignee review={review} change={mayReview ? change : null} />
          <Ratings review={review} change={mayReview ? change : null} />
        </div>
      )}
    </Card>
  );
}

type PartProps = { review: CallReview; change: Change | null };

function Mark({ review: { reviewed }, change, isBusy }: PartProps & { isBusy: boolean }) {
  if (reviewed === null)
    return change === null ? (
      <p className="text-ink-subtle">Nobody has reviewed it.</p>
    ) : (
      <Button
        variant="primary"
        aria-keyshortcuts="r"
        isBusy={isBusy}
        onClick={() => change({ kind: 'review', isReviewed: true })}
      >
        <Check aria-hidden="true" />
        Mark as reviewed
      </Button>
    );
  return (
    <div className="flex items-center gap-2">
      <Check aria-hidden="true" className="size-4 shrink-0 text-success-text" />
      <p className="min-w-0 flex-1 text-ink">
        Reviewed{' '}
        <span className="wrap-anywhere text-ink-subtle">
          by {reviewed.by}, <Moment iso={reviewed.at} />
        </span>
      </p>
      {change === null ? null : (
        <IconButton
          size="sm"
          label="Not reviewed after all"
          icon={<RotateCcw aria-hidden="true" />}
          onClick={() => change({ kind: 'review', isReviewed: false })}
        />
      )}
    </div>
  );
}

function Assignee({ review: { assignee }, change }: PartProps) {
  const workspace = useWorkspace();
  const { data: members } = useQuery({ ...memberQueries.list(workspace.id), enabled: change !== null });
  if (change === null)
    return (
      <p className="wrap-anywhere text-ink-subtle">
        {assignee === null ? 'Assigned to nobody.' : `Assigned to ${assignee.email}.`}
      </p>
    );
  const able = (members ?? []).filter(({ role }) => role !== 'viewer');
  const gone = assignee !== null && !able.some(({ userId }) => userId === assignee.id) ? [assignee] : [];
  return (
    <div className="flex items-center gap-2">
      <span className="shrink-0 text-ink-subtle">Assigned to</span>
      <Select
        aria-label="Assigned to"
        value={assignee?.id ?? ''}
        onValueChange={(id) => change({ kind: 'review', assigneeId: id === '' ? null : id })}
        options={[
          { value: '', label: 'Nobody' },
          ...gone.map(({ id, email }) => ({ value: id, label: email })),
          ...able.map(({ userId, email, name }) => ({
            value: userId,
            label: name ?? email,
            detail: name === null ? undefined : email,
          })),
        ]}
      />
    </div>
  );
}

function Ratings({ review: { ratings }, change }: PartProps) {
  const own = ratings.find(({ isOwn }) => isOwn);
  const others = ratings.filter((rating) => rating !== own);
  return (
    <>
      {change === null ? null : (
        <div className="flex flex-col gap-2">
          <div className="flex items-center gap-1">
            <StarChoice value={own?.stars ?? null} onChoose={(stars) => change({ kind: 'rate', stars })} />
            {own ? (
              <IconButton
                size="sm"
                label="Take your rating back"
                icon={<Trash2 aria-hidden="true" />}
                className="ml-auto"
                onClick={() => change({ kind: 'unrate' })}
              />
            ) : (
              <span className="ml-auto text-xs text-ink-subtle">Not rated by you</span>
            )}
          </div>
          {own ? <Sentence key={own.sentence ?? ''} rating={own} change={change} /> : null}
        </div>
      )}
      {others.length > 0 ? (
        <ul aria-label="Ratings" className="flex flex-col gap-2">
          {others.map((rating) => (
            <li key={`${rating.by} ${rating.at}`}>
              <div className="flex items-center gap-2">
                <Stars stars={rating.stars} />
                <span className="min-w-0 truncate text-xs text-ink-subtle" title={rating.by}>
                  {rating.by}
                </span>
              </div>
              {rating.sentence === null ? null : (
                <p className="mt-0.5 wrap-anywhere text-ink">{rating.sentence}</p>
              )}
            </li>
          ))}
        </ul>
      ) : change === null ? (
        <p className="text-ink-subtle">Nobody has rated it.</p>
      ) : null}
    </>
  );
}

/** Why so many stars. */
function Sentence({ rating, change }: { rating: CallRating; change: Change }) {
  const [text, setText] = useState(rating.sentence ?? '');
  const isChanged = text.trim() !== (rating.sentence ?? '');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged) change({ kind: 'rate', stars: rating.stars, sentence: text });
  };
  return (
    <form onSubmit={submit} className="flex items-center gap-2">
      <Input
        aria-label="Why, in a sentence"
        placeholder="Why? In a sentence…"
        value={text}
        maxLength={MAX_SENTENCE_CHARACTERS}
        onChange={(event) => setText(event.target.value)}
      />
      {isChanged ? (
        <Button type="submit" size="sm">
          Save
        </Button>
      ) : null}
    </form>
  );
}
