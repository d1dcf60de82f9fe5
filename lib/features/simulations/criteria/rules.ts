import type { Observed, SimulatedTurn, Verdict } from '../rules.ts';
import type { Criterion } from '../scenarios/contract.ts';

type Checked = Omit<Verdict, 'criterion'>;
type CheckOf<Type extends Criterion['type']> = (
  criterion: Extract<Criterion, { type: Type }>,
  observed: Observed,
) => Checked;

const MOST_QUOTED = 400;

/** Checks every criterion that needs nobody's judgement; the judged sentences are left to whoever can. */
export function checkCriteria(criteria: readonly Criterion[], observed: Observed): Verdict[] {
  return criteria.map((criterion) => ({ criterion, ...check(criterion, observed) }));
}

function check(criterion: Criterion, observed: Observed): Checked {
  switch (criterion.type) {
    case 'tool_used':
      return checkToolUsed(criterion, observed);
    case 'tool_not_used':
      return checkToolNotUsed(criterion, observed);
    case 'said':
      return checkSaid(criterion, observed);
    case 'not_said':
      return checkNotSaid(criterion, observed);
    case 'ended_by':
      return checkEndedBy(criterion, observed);
    case 'max_turns':
      return checkTurns(criterion, observed);
    case 'judged':
      return NOT_JUDGED;
  }
}

export const NOT_JUDGED: Checked = {
  state: 'not_judged',
  reason: 'Nobody judged it: there is no language model.',
  quote: null,
};

const passed = (reason: string, quote: Verdict['quote'] = null): Checked => ({
  state: 'passed',
  reason,
  quote,
});
const failed = (reason: string, quote: Verdict['quote'] = null): Checked => ({
  state: 'failed',
  reason,
  quote,
});

const checkToolUsed: CheckOf<'tool_used'> = ({ tool, arguments: wanted = {} }, { toolUses, turns }) => {
  const uses = toolUses.filter(({ name }) => name === tool);
  if (uses.length === 0) {
    const others = [...new Set(toolUses.map(({ name }) => name))];
    return failed(`${tool} was not used${others.length > 0 ? `, only ${others.join(', ')}` : ''}.`);
  }
  const differing = uses.map((use) =>
    Object.entries(wanted).filter(([name, text]) => !hasWords(asText(use.arguments[name]), text)),
  );
  const met = differing.findIndex((names) => names.length === 0);
  const use = uses[Math.max(met, 0)];
  const quote = use ? lastWordsBefore(turns, use.startedMs) : null;
  const given = `with ${asText(use?.arguments)}`;
  if (met >= 0) return passed(`${tool} was used ${given}.`, quote);
  const [name = '', text = ''] = differing[0]?.[0] ?? [];
  return failed(`${tool} was used ${given}; ${name} does not contain "${text}".`, quote);
};

const checkToolNotUsed: CheckOf<'tool_not_used'> = ({ tool }, { toolUses, turns }) => {
  const use = toolUses.find(({ name }) => name === tool);
  return use
    ? failed(`${tool} was used with ${asText(use.arguments)}.`, lastWordsBefore(turns, use.startedMs))
    : passed(`${tool} was not used.`);
};

const checkSaid: CheckOf<'said'> = ({ text }, { turns }) => {
  const turn = whereSaid(turns, text);
  return turn ? passed('The agent said it.', quoted(turn)) : failed(`The agent did not say "${text}".`);
};

const checkNotSaid: CheckOf<'not_said'> = ({ text }, { turns }) => {
  const turn = whereSaid(turns, text);
  return turn ? failed('The agent said it.', quoted(turn)) : passed(`The agent did not say "${text}".`);
};

const checkEndedBy: CheckOf<'ended_by'> = ({ by }, { endedBy, endReason, turns }) => {
  const last = turns.at(-1);
  const quote = last ? quoted(last) : null;
  return by === endedBy ? passed(endReason, quote) : failed(endReason, quote);
};

const checkTurns: CheckOf<'max_turns'> = ({ turns: most }, { turns }) => {
  const own = turns.filter(({ speaker }) => speaker === 'agent');
  const beyond = own[most];
  const count = `The agent had ${own.length === 1 ? 'one turn' : `${own.length} turns`}.`;
  return beyond ? failed(count, quoted(beyond)) : passed(count);
};

/** The agent's first turn that has the words of `text`, or of one of its alternatives, one after the other. */
function whereSaid(turns: readonly SimulatedTurn[], text: string): SimulatedTurn | undefined {
  const alternatives = text.split('|').filter((each) => wordsOf(each).length > 0);
  return turns.find(
    (turn) => turn.speaker === 'agent' && alternatives.some((each) => hasWords(turn.text, each)),
  );
}

/** Whether `text` has the words of `phrase` one after the other, however they are written. */
function hasWords(text: string, phrase: string): boolean {
  const wanted = wordsOf(phrase);
  return ` ${wordsOf(text).join(' ')} `.includes(` ${wanted.join(' ')} `);
}

function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/['’]/g, '')
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function asText(value: unknown): string {
  if (typeof value === 'string') return value;
  return JSON.stringify(value) ?? '';
}

/** What was said before a tool was used: why it was, or was not. */
function lastWordsBefore(turns: readonly SimulatedTurn[], atMs: number): Verdict['quote'] {
  const before = turns.filter(({ startedMs }) => startedMs <= atMs).at(-1);
  return before ? quoted(before) : null;
}

export function quoted({ speaker, text, seq }: SimulatedTurn): NonNullable<Verdict['quote']> {
  return { speaker, seq, text: text.length > MOST_QUOTED ? `${text.slice(0, MOST_QUOTED)}…` : text };
}
