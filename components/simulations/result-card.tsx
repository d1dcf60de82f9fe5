'use client';

import { Check, ChevronRight, CircleHelp, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import { classNames } from '#components/ui/class-names.ts';
import type { SimulationResult } from '#lib/features/simulations/contract.ts';
import { criterionSentence, OUTCOMES, VERDICTS } from './wording.ts';

type VerdictOf = SimulationResult['verdicts'][number];

/** One conversation: what its criteria came to, and what was said. */
export function ResultCard({ result }: { result: SimulationResult }) {
  const { outcome, change, outcomeBefore } = result;
  return (
    <li className="rounded-lg border border-line bg-surface shadow-card">
      <div className="flex flex-wrap items-center gap-2 px-4 pt-3 sm:px-5">
        <h3 className="min-w-0 text-base font-semibold wrap-anywhere">{result.scenarioName}</h3>
        {outcome ? (
          <Badge tone={OUTCOMES[outcome].tone}>{OUTCOMES[outcome].label}</Badge>
        ) : (
          <Badge>Waiting</Badge>
        )}
        {change === 'worse' ? <Badge tone="danger">Worse</Badge> : null}
        {change === 'better' ? <Badge tone="success">Better</Badge> : null}
        {outcomeBefore && outcomeBefore !== outcome ? (
          <span className="text-sm text-ink-subtle">
            before: {OUTCOMES[outcomeBefore].label.toLowerCase()}
          </span>
        ) : null}
      </div>
      {result.reason ? <p className="px-4 pt-2 text-sm text-ink-muted sm:px-5">{result.reason}</p> : null}
      {result.verdicts.length > 0 ? (
        <ul className="flex flex-col gap-2 px-4 py-3 sm:px-5">
          {result.verdicts.map((verdict, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- the criteria of a result never change
            <Verdict key={index} verdict={verdict} />
          ))}
        </ul>
      ) : (
        <div className="h-3" />
      )}
      {result.turns ? <Conversation result={result} turns={result.turns} /> : null}
    </li>
  );
}

const ICONS = {
  passed: <Check className="text-success-text" />,
  failed: <X className="text-danger-text" />,
  not_judged: <CircleHelp className="text-warning-text" />,
};

function Verdict({ verdict }: { verdict: VerdictOf }) {
  const { criterion, state, reason, quote, before } = verdict;
  return (
    <li className="flex items-start gap-2 text-sm">
      <span aria-hidden="true" className="mt-0.5 [&_svg]:size-4">
        {ICONS[state]}
      </span>
      <div className="min-w-0">
        <p className="font-medium wrap-anywhere text-ink">
          <span className="sr-only">{VERDICTS[state].label}: </span>
          {criterionSentence(criterion)}
          {before && before !== state ? (
            <span className="font-normal text-ink-subtle">
              {' '}
              · {VERDICTS[before].label.toLowerCase()} before
            </span>
          ) : null}
        </p>
        <p className="wrap-anywhere text-ink-muted">{reason}</p>
        {quote ? (
          <blockquote className="mt-1 border-l-2 border-line-strong pl-2 wrap-anywhere text-ink-muted">
            {quote.speaker === 'agent' ? 'Agent' : 'Person'}: {quote.text}
          </blockquote>
        ) : null}
      </div>
    </li>
  );
}

function Conversation({
  result: { toolUses = [], unheard = [], endReason, outcome },
  turns,
}: {
  result: SimulationResult;
  turns: NonNullable<SimulationResult['turns']>;
}) {
  const entries = [
    ...turns.map((turn) => ({
      atMs: turn.startedMs,
      row: <Turn key={`turn ${turn.seq}`} turn={turn} />,
    })),
    ...toolUses.map((use) => ({ atMs: use.startedMs, row: <ToolUse key={`use ${use.seq}`} use={use} /> })),
    ...unheard.map(({ startedMs, text }) => ({
      atMs: startedMs,
      row: <Unheard key={`unheard ${startedMs}`} text={text} />,
    })),
  ].toSorted((one, other) => one.atMs - other.atMs);
  return (
    <details open={outcome === 'failed'} className="group border-t border-line">
      <summary className="flex cursor-pointer items-center gap-1 px-4 py-2 text-sm text-ink-muted select-none hover:text-ink sm:px-5 [&::-webkit-details-marker]:hidden">
        <ChevronRight aria-hidden="true" className="size-4 group-open:rotate-90" />
        Conversation
      </summary>
      <ol className="flex flex-col gap-2 px-4 pb-4 sm:px-5">{entries.map(({ row }) => row)}</ol>
      {endReason ? <p className="px-4 pb-4 text-sm text-ink-subtle sm:px-5">{endReason}</p> : null}
    </details>
  );
}

function Turn({ turn }: { turn: NonNullable<SimulationResult['turns']>[number] }) {
  const isAgent = turn.speaker === 'agent';
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] gap-2 text-sm">
      <span className={classNames('font-medium', isAgent ? 'text-accent-text' : 'text-ink-subtle')}>
        {isAgent ? 'Agent' : 'Person'}
      </span>
      <span className="wrap-anywhere text-ink">
        {turn.text}
        {turn.interrupted ? <span className="text-ink-subtle"> (interrupted)</span> : null}
        {turn.said === undefined ? null : (
          <span className="block text-ink-subtle">Really said: “{turn.said}”</span>
        )}
      </span>
    </li>
  );
}

function Unheard({ text }: { text: string }) {
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] gap-2 text-sm text-ink-subtle">
      <span>Person</span>
      <span className="wrap-anywhere">Not heard by the agent: “{text}”</span>
    </li>
  );
}

const ANSWERED_BY = {
  scenario: 'answered by the scenario',
  real: 'the real tool',
  simulation: 'built in, without an effect outside',
};

function ToolUse({ use }: { use: NonNullable<SimulationResult['toolUses']>[number] }) {
  return (
    <li className="grid grid-cols-[4rem_minmax(0,1fr)] gap-2 text-sm">
      <span className="text-ink-subtle">Tool</span>
      <div className="min-w-0">
        <p className="wrap-anywhere text-ink-muted">
          <code className="font-mono text-xs">{use.name}</code> · {ANSWERED_BY[use.answeredBy]}
        </p>
        <pre className="overflow-x-auto font-mono text-xs break-all whitespace-pre-wrap text-ink-subtle">
          {JSON.stringify(use.arguments)} → {shortened(JSON.stringify(use.result))}
        </pre>
      </div>
    </li>
  );
}

/** What a search finds fills pages. */
function shortened(json: string): string {
  return json.length > MOST_SHOWN ? `${json.slice(0, MOST_SHOWN)}…` : json;
}

const MOST_SHOWN = 300;
