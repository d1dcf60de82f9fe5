import { useState } from 'react';
import type { Turn } from '#lib/features/conversations/turns/contract.ts';

type Timings = NonNullable<Turn['timings']>;

const PARTS: readonly [key: keyof Timings, label: string][] = [
  ['transcriptionMs', 'Words understood after'],
  ['endOfTurnMs', 'End of turn decided after'],
  ['firstTokenMs', 'First word of the model took'],
  ['firstAudioMs', 'First sound of the voice took'],
  ['totalMs', 'Heard after'],
];

/** What stands beside an answer. */
export const answerTime = ({ totalMs }: Timings) => `after ${seconds(totalMs)}`;

const seconds = (ms: number) => `${(ms / 1_000).toFixed(ms < 9_950 ? 2 : 0)} s`;

/** How long the person waited for an answer, and on demand for which part of it. */
export function AnswerTime({ timings, isReached }: { timings: Timings; isReached: boolean }) {
  // Its parts would be a third of a long transcript.
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="ml-auto min-w-0 text-right font-normal text-ink-subtle"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary
        // The tab key reaches it only beside the turn that it has reached.
        tabIndex={isReached ? 0 : -1}
        className="figures cursor-pointer rounded-sm marker:content-none hover:text-ink"
      >
        <span className="sr-only">Answered </span>
        {answerTime(timings)}
      </summary>
      {isOpen ? (
        <dl className="figures mt-1 grid grid-cols-[auto_auto] gap-x-3 gap-y-0.5 text-left">
          {PARTS.map(([key, label]) => {
            const ms = timings[key];
            return ms === null ? null : (
              <div key={key} className="contents">
                <dt>{label}</dt>
                <dd className="text-right text-ink">{seconds(ms)}</dd>
              </div>
            );
          })}
        </dl>
      ) : null}
    </details>
  );
}
