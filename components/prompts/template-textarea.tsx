'use client';

import { type ReactNode, type Ref, useId, useRef } from 'react';
import { CircleAlert } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';
import { useFieldControl } from '#components/ui/field.tsx';
import { CONTROL_CLASSES } from '#components/ui/input.tsx';
import { placeholderMarks, segmentText, type TemplateMark } from './template-marks.ts';

export type TemplateProblem = { line: number; column: number; start: number; end: number; message: string };

type TemplateTextareaProps = {
  value: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  name?: string;
  ref?: Ref<HTMLTextAreaElement>;
  problems?: readonly TemplateProblem[];
  /** `line`: one or two lines, such as an opening. */
  size?: 'page' | 'line';
  placeholder?: string;
  isReadOnly?: boolean;
};

// The mirror has to break its lines exactly where the textarea does: same face, padding, border and gutter.
const TEXT =
  'block w-full px-3 py-2 font-mono text-sm leading-6 pointer-coarse:text-lg whitespace-pre-wrap wrap-anywhere [scrollbar-width:thin] [scrollbar-gutter:stable]';

const SIZES = {
  page: 'field-sizing-content min-h-80 max-h-[70vh]',
  line: 'field-sizing-content min-h-16 max-h-60',
};

/**
 * A text area for templates. Behind it lies a copy of the text, unseen but for its marks: placeholders are tinted
 * and errors underlined where they are, and listed below, from where one click leads to the place.
 */
export function TemplateTextarea(props: TemplateTextareaProps) {
  const { value, onChange, problems = [], size = 'page', isReadOnly = false } = props;
  const listId = useId();
  const area = useRef<HTMLTextAreaElement | null>(null);
  const mirror = useRef<HTMLDivElement | null>(null);
  const wiring = useFieldControl({});
  const describedBy = [wiring['aria-describedby'], problems.length > 0 ? listId : '']
    .filter(Boolean)
    .join(' ');

  const attach = (element: HTMLTextAreaElement | null) => {
    area.current = element;
    if (typeof props.ref === 'function') props.ref(element);
    else if (props.ref) props.ref.current = element;
  };
  const followScroll = () => {
    if (area.current && mirror.current) mirror.current.scrollTop = area.current.scrollTop;
  };
  const goTo = (problem: TemplateProblem) => {
    area.current?.focus();
    area.current?.setSelectionRange(problem.start, Math.max(problem.end, problem.start + 1));
  };

  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="relative min-w-0">
        <div
          ref={mirror}
          aria-hidden="true"
          className={classNames(
            TEXT,
            'pointer-events-none absolute inset-0 overflow-y-auto rounded-md border border-transparent text-transparent [scrollbar-color:transparent_transparent]',
            isReadOnly && 'bg-sunken',
          )}
        >
          <MarkedText text={value} problems={problems} />
        </div>
        <textarea
          {...wiring}
          ref={attach}
          name={props.name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onBlur={props.onBlur}
          onScroll={followScroll}
          readOnly={isReadOnly}
          spellCheck
          placeholder={props.placeholder}
          aria-describedby={describedBy || undefined}
          aria-invalid={problems.length > 0 ? true : wiring['aria-invalid']}
          className={classNames(
            CONTROL_CLASSES,
            TEXT,
            SIZES[size],
            'relative resize-y overflow-y-auto bg-transparent! read-only:text-ink-subtle',
          )}
        />
      </div>
      {problems.length > 0 ? <ProblemList id={listId} problems={problems} onSelect={goTo} /> : null}
    </div>
  );
}

function MarkedText({ text, problems }: { text: string; problems: readonly TemplateProblem[] }): ReactNode {
  const errors = problems.map((problem): TemplateMark => ({
    start: Math.min(problem.start, Math.max(0, text.length - 1)),
    end: Math.min(Math.max(problem.end, problem.start + 1), text.length),
    kind: 'error',
  }));
  const segments = segmentText(text, [...placeholderMarks(text), ...errors]);
  return (
    <>
      {segments.map((segment) =>
        segment.kind === 'plain' ? (
          <span key={segment.start}>{segment.text}</span>
        ) : (
          <mark
            key={segment.start}
            className={classNames(
              'rounded-xs text-transparent',
              segment.kind === 'error'
                ? 'bg-danger-soft underline decoration-danger-solid decoration-wavy decoration-2 underline-offset-4'
                : 'bg-accent-soft',
            )}
          >
            {segment.text}
          </mark>
        ),
      )}
      {/* A textarea shows an empty last line; a block of text does not without something on it. */}
      {'\u200b'}
    </>
  );
}

function ProblemList({
  id,
  problems,
  onSelect,
}: {
  id: string;
  problems: readonly TemplateProblem[];
  onSelect: (problem: TemplateProblem) => void;
}) {
  return (
    <ul id={id} aria-label="Template errors" aria-live="polite" className="flex flex-col gap-1">
      {problems.map((problem) => (
        <li key={`${problem.start}-${problem.message}`}>
          <button
            type="button"
            onClick={() => onSelect(problem)}
            className="flex items-start gap-1.5 rounded-sm text-left text-sm text-danger-text hover:underline"
          >
            <CircleAlert aria-hidden="true" className="mt-0.5 size-3.5 shrink-0" />
            <span className="min-w-0 wrap-anywhere">
              <span className="figures font-medium">
                Line {problem.line}, column {problem.column}
              </span>
              {': '}
              {problem.message}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
