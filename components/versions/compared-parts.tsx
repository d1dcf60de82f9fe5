'use client';

import { useMemo } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { Card } from '#components/ui/card.tsx';
import { type TextPart, textDifference } from './text-difference.ts';
import type { ComparedField, ComparedPart } from './wording.ts';

type Names = { before: string; after: string };

/** The parts of two versions, each field with both of its values; `names` null: one version by itself. */
export function ComparedParts({ parts, names }: { parts: readonly ComparedPart[]; names: Names | null }) {
  return parts.map((part) => (
    <Card
      key={part.key}
      title={
        <span className="flex flex-wrap items-center gap-2">
          {part.title}
          {part.only && names ? (
            <Badge tone={part.only === 'after' ? 'success' : 'danger'}>
              Only in {names[part.only].toLowerCase()}
            </Badge>
          ) : null}
        </span>
      }
      isFlush
    >
      <ul className="divide-y divide-line">
        {part.fields.map((field) => (
          <li key={field.name} className="flex flex-col gap-2 px-4 py-3 sm:px-5">
            <h3 className="text-sm font-medium text-ink">{field.label}</h3>
            {names ? <BothValues field={field} names={names} /> : <Value parts={whole(field.after)} />}
          </li>
        ))}
      </ul>
    </Card>
  ));
}

/** Two values of a field beside each other, with what differs marked. */
export function BothValues({ field, names }: { field: ComparedField; names: Names }) {
  const { before, after } = field;
  const difference = useMemo(
    () =>
      before !== null && after !== null && before !== after
        ? textDifference(before, after)
        : { before: whole(before, before !== after), after: whole(after, before !== after) },
    [before, after],
  );
  return (
    <div className="grid gap-3 md:grid-cols-2">
      <Side name={names.before}>
        <Value parts={difference.before} mark="removed" />
      </Side>
      <Side name={names.after}>
        <Value parts={difference.after} mark="added" />
      </Side>
    </div>
  );
}

function Side({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-xs text-ink-subtle">{name}</p>
      {children}
    </div>
  );
}

function whole(text: string | null, isChanged = false): TextPart[] | null {
  return text === null ? null : [{ text, isChanged }];
}

/** Marked by a line as well as by colour. */
const MARKS = {
  removed: { tag: 'del', className: 'rounded-sm bg-danger-soft text-danger-text line-through' },
  added: { tag: 'ins', className: 'rounded-sm bg-success-soft text-success-text underline' },
} as const;

function Value({ parts, mark }: { parts: TextPart[] | null; mark?: keyof typeof MARKS }) {
  if (parts === null) return <p className="text-sm text-ink-subtle">Not set</p>;
  const { tag: Mark, className } = MARKS[mark ?? 'added'];
  return (
    <div className="rounded-md border border-line bg-sunken/60 px-3 py-2 text-sm wrap-anywhere whitespace-pre-wrap text-ink">
      {parts.map((part, index) =>
        part.isChanged && mark ? (
          // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no names
          <Mark key={index} className={className}>
            {part.text}
          </Mark>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <span key={index}>{part.text}</span>
        ),
      )}
    </div>
  );
}
